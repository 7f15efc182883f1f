import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Appointments
@testable import Clinic
@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Therapies
@testable import Wording

/// IO-14: what the therapist sees of appointments, and other calendars too.
@Suite struct CalendarTests {
    let portal: TestPortal
    static let id = "22222222-2222-4222-8222-222222222222"
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws { portal = try TestPortal() }

    @discardableResult
    func appointment(
        _ start: String = "2026-11-24T08:00:00Z", _ end: String = "2026-11-24T08:50:00Z",
        title: String = "Therapie, <streng> geheim", tag: String? = nil
    ) -> Response {
        portal.call(
            .put, "/my/appointments/\(Self.id)",
            #"{"title": "\#(title)", "starts_at": "\#(start)", "ends_at": "\#(end)", "comment": "Raum 4"}"#,
            as: .pia, tag.map { ["If-Match": $0] } ?? [:])
    }

    var feed: String {
        let page = portal.get("/profile", as: .ada).text
        return page.firstMatch(of: /\/calendar\/[A-Za-z0-9_-]{43}\.ics/).map { String($0.output) } ?? ""
    }

    // MARK: Pages

    @Test func `the patient's words, the number and the state stand in list and month`() throws {
        appointment()
        let page = portal.get("/patients/\(pia)/appointments?month=2026-11", as: .ada).text
        for word in [
            "Therapie, &lt;streng&gt; geheim", "Raum 4", "vor der 2. Sitzung", "geplant", "November 2026",
        ] {
            #expect(page.contains(word), "\(word)")
        }
        #expect(page.matches(of: /month__visit--/).count == 2)
        #expect(
            portal.get("/patients/\(pia)/appointments?month=2026-12", as: .ada).text.contains("Dezember 2026")
        )
        // Over all patients there are codenames only.
        let all = portal.get("/appointments", as: .ada).text
        #expect(all.contains("C000001") && !all.contains("geheim"))
        #expect(!portal.get("/appointments", as: .ben).text.contains("C000001"))
        for month in ["2026-13", "x", "99999-01", "2026-11-01"] {
            #expect(
                portal.get("/appointments?month=\(month)", as: .ada).text.contains("November 2026"),
                "\(month)")
        }
    }

    @Test func `a month begins on Monday and holds whole weeks`() throws {
        let dates = DateFormat(
            try Texts(.german, as: .austria, folder: Cast.root + "/templates/texts"), Zone("Europe/Vienna"),
            now: Cast.now)
        for month in ["2026-02-01", "2026-03-01", "2027-02-01", "2024-02-01"] {
            let first = try #require(LocalDate(month))
            let grid = MonthGrid(
                first, path: "/appointments", dates, pauses: PauseSpans([], Zone("UTC")), visits: [:])
            #expect(grid.weeks.allSatisfy { $0.days.count == 7 })
            let inside = grid.weeks.flatMap(\.days).filter { !$0.isOutside }
            #expect(inside.first?.number == "1", "\(month)")
            #expect(inside.count == ["2026-02-01": 28, "2026-03-01": 31, "2027-02-01": 28][month] ?? 29)
        }
    }

    @Test func `the therapist's word on a session changes neither appointment nor calendar of the patient`()
        throws
    {
        appointment()
        let before = portal.call(.get, "/my/appointments", as: .pia).text
        let sessions = portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list
        let id = sessions.first?["id"]?.string ?? ""
        let path = "/patients/\(pia)/sessions/\(id)/state"
        #expect(portal.post(path, [("state", "held")], as: .ada).status == 422)
        #expect(portal.post(path, [("state", "nonsense")], as: .ada).status == 422)
        #expect(portal.post(path, [("state", "cancelled")], as: .ben).status == 404)
        #expect(portal.post(path, [("state", "cancelled")], as: .ada).status == 303)
        #expect(portal.get("/patients/\(pia)/appointments", as: .ada).text.contains("abgesagt"))
        #expect(portal.call(.get, "/my/appointments", as: .pia).text == before)
    }

    @Test func `what took place stays, though the patient moves the appointment`() throws {
        let made = appointment("2026-11-17T08:00:00Z", "2026-11-17T08:50:00Z")
        let sessions = {
            portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list.compactMap { $0["attributes"] }
        }
        #expect(sessions().count == 2)
        let moved = appointment("2026-11-26T08:00:00Z", "2026-11-26T08:50:00Z", tag: made.headers["ETag"])
        #expect(moved.status == 200 && sessions().count == 3)
        #expect(sessions().map { $0["state"] } == [.string("planned"), .string("held"), .string("held")])
        // Within the past it is a correction.
        let back = appointment("2026-11-19T08:00:00Z", "2026-11-19T08:50:00Z", tag: moved.headers["ETag"])
        #expect(back.status == 200 && sessions().count == 3)
        let again = appointment("2026-11-18T08:00:00Z", "2026-11-18T08:50:00Z", tag: back.headers["ETag"])
        #expect(again.status == 200 && sessions().count == 3)
    }

    @Test func `a session that was called off stays so, the new day is another one`() throws {
        let made = appointment()
        let first = portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list.first?["id"]?.string ?? ""
        let path = "/patients/\(pia)/sessions/\(first)/state"
        #expect(portal.post(path, [("state", "missed")], as: .ada).status == 422)
        #expect(portal.post(path, [("state", "cancelled")], as: .ada).status == 303)
        _ = appointment("2026-11-26T08:00:00Z", "2026-11-26T08:50:00Z", tag: made.headers["ETag"])
        let states = portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list.compactMap {
            $0["attributes"]?["state"]?.string
        }
        #expect(states == ["planned", "cancelled", "held"])
    }

    // MARK: Feeds

    @Test func `a feed tells when, not whom; a new address kills the old one`() throws {
        appointment()
        #expect(feed.isEmpty)
        #expect(portal.post("/profile/calendar", as: .ada).status == 303)
        let first = feed
        let answer = portal.get(first, as: .nobody)
        #expect(answer.status == 200 && answer.headers["Content-Type"]?.hasPrefix("text/calendar") == true)
        let text = answer.text
        for word in [
            "SUMMARY:Termin\r\n", "DTSTART:20261124T080000Z", "STATUS:CONFIRMED", "SEQUENCE:0", "VERSION:2.0",
        ] {
            #expect(text.contains(word), "\(word)")
        }
        for word in ["C000001", "geheim", "Raum"] { #expect(!text.contains(word), "\(word)") }
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(text.hasSuffix("END:VCALENDAR\r\n"))
        #expect(portal.post("/profile/calendar", as: .ada).status == 303)
        #expect(feed != first && portal.get(feed, as: .nobody).status == 200)
        let dead = portal.get(first, as: .nobody)
        #expect(dead.status == 404)
        #expect(portal.post("/profile/calendar/removal", as: .ada).status == 303)
        #expect(feed.isEmpty && portal.get(first, as: .nobody).status == 404)
        let unknown = portal.get("/calendar/\(String(repeating: "a", count: 43)).ics", as: .nobody)
        #expect(unknown.status == 404 && portal.get("/calendar/x", as: .nobody).status == 404)
        #expect(!portal.logged.contains { $0.contains(first.dropFirst(10).prefix(20)) })
        #expect(try portal.count("calendar_feeds") == 0)
    }

    @Test func `a moved session keeps its name and counts up, a cancelled one says so`() throws {
        let made = appointment()
        _ = portal.post("/profile/calendar", as: .ada)
        let event = { (text: String) in
            text.components(separatedBy: "BEGIN:VEVENT").first {
                $0.contains("20261124T") || $0.contains("20261126T")
            } ?? ""
        }
        let uid = event(portal.get(feed, as: .nobody).text).firstMatch(of: /UID:(.*)\r\n/)?.1
        portal.wait(seconds: 60)
        let moved = appointment(
            "2026-11-26T08:00:00Z", "2026-11-26T08:50:00Z", tag: made.headers["ETag"])
        #expect(moved.status == 200)
        let after = event(portal.get(feed, as: .nobody).text)
        #expect(after.contains("SEQUENCE:1") && after.contains("DTSTART:20261126T080000Z"))
        #expect(after.firstMatch(of: /UID:(.*)\r\n/)?.1 == uid && uid != nil)
        // Another title is nothing a calendar hears of.
        let renamed = appointment(
            "2026-11-26T08:00:00Z", "2026-11-26T08:50:00Z", title: "Anders", tag: moved.headers["ETag"])
        #expect(renamed.status == 200 && event(portal.get(feed, as: .nobody).text).contains("SEQUENCE:1"))
        let id = portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list.first?["id"]?.string ?? ""
        _ = portal.post("/patients/\(pia)/sessions/\(id)/state", [("state", "cancelled")], as: .ada)
        let cancelled = event(portal.get(feed, as: .nobody).text)
        #expect(cancelled.contains("STATUS:CANCELLED") && cancelled.contains("SEQUENCE:2"))
        let file = portal.get("/patients/\(pia)/appointments/\(Self.id)/appointment.ics", as: .ada)
        #expect(file.status == 200 && file.text.contains("STATUS:CANCELLED") && !file.text.contains("Anders"))
        #expect(
            portal.get("/patients/\(pia)/appointments/\(Self.id)/appointment.ics", as: .ben).status == 404)
    }

    // MARK: As their readers need them

    @Test
    func `an entry leads to the portal, frees the time of what is called off, and the file has its day`()
        throws
    {
        appointment()
        _ = portal.post("/profile/calendar", as: .ada)
        let text = portal.get(feed, as: .nobody).text.replacing("\r\n ", with: "")
        #expect(
            text.contains("DESCRIPTION:Wer kommt und was ansteht\\, steht in Intersession: http://127.0.0.1"))
        #expect(text.contains("TRANSP:OPAQUE") && !text.contains("C000001"))
        let file = portal.get("/patients/\(pia)/appointments/\(Self.id)/appointment.ics", as: .ada)
        #expect(file.headers["Content-Disposition"] == #"attachment; filename="termin-2026-11-24.ics""#)
        let id = portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list.first?["id"]?.string ?? ""
        _ = portal.post("/patients/\(pia)/sessions/\(id)/state", [("state", "cancelled")], as: .ada)
        #expect(portal.get(feed, as: .nobody).text.contains("TRANSP:TRANSPARENT"))
    }

    @Test func `the profile shows what patients see, says what is missing, and subscribes in one step`()
        throws
    {
        _ = portal.post("/profile/calendar", as: .ada)
        let empty = portal.get("/profile", as: .ada).text
        #expect(empty.contains("webcal://127.0.0.1:8080/calendar/"))
        #expect(empty.contains(##"<a href="#phone">"##) && empty.contains("Das fehlt noch"))
        let form = [
            ("name", "Ada Lindner"), ("degree", "Dr."), ("gender", "female"), ("street", "Gasse 1"),
            ("postal_code", "8010"), ("city", "Graz"), ("phone", "+43 316 1234"),
        ]
        #expect(portal.post("/profile", form, as: .ada).status == 303)
        let full = portal.get("/profile", as: .ada).text
        #expect(full.contains("Dr. Ada Lindner</p>") && full.contains("<dd>Gasse 1, 8010 Graz</dd>"))
        #expect(!full.contains("Das fehlt noch"))
        // What is being typed and wrong is not yet what patients see.
        let wrong = portal.post("/profile", form.map { $0.0 == "phone" ? ("phone", "x") : $0 }, as: .ada)
        #expect(wrong.status == 422 && wrong.text.contains("<dd>+43 316 1234</dd>"))
    }
}
