import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// IO-14 in the browser: appointments belong to the patient.
@Suite struct OwnAppointmentTests {
    let portal: TestPortal
    static let id = "5f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15"
    static let form = [
        ("id", id), ("title", "Therapie; Wien"), ("starts_at", "2026-11-24T09:00"),
        ("ends_at", "2026-11-24T09:50"), ("comment", "Überweisung"),
    ]
    var path: String { "/my/appointments/\(Self.id)" }

    init() throws { portal = try TestPortal() }

    private func make() {
        let made = portal.post("/my/appointments/new", Self.form, as: .pia)
        #expect(made.status == 303 && made.headers["Location"] == "/my/appointments")
    }

    private func changed(_ fields: [String: String]) -> [(String, String)] {
        Self.form.map { ($0.0, fields[$0.0] ?? $0.1) }
    }

    @Test func `IO-14 made in the own zone, listed, in the month, and seen by the therapist`() {
        make()
        // Sent twice it is there once.
        make()
        let list = portal.call(.get, "/my/appointments", as: .pia).list
        #expect(list.count == 1 && list.first?["id"]?.string == Self.id)
        #expect(list.first?["attributes"]?["starts_at"]?.string == "2026-11-24T08:00:00Z")
        let page = portal.get("/my/appointments", as: .pia).text
        #expect(page.contains("Dienstag, 24. November") && page.contains("09:00 bis 09:50"))
        #expect(page.contains("in 4 Tagen") && page.contains("November 2026"))
        #expect(page.contains("own-month__visit--accent\" href=\"\(path)\""))
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(portal.call(.get, "/patients/\(pia)/appointments", as: .ada).list.count == 1)
        portal.wait(days: 5)
        let later = portal.call(.get, "/my/appointments", as: .pia)
        #expect(later.status == 401 || later.list.count == 1)
    }

    @Test(arguments: [
        (["title": " "], "title"), (["starts_at": "2026-11-24T09:03"], "starts_at"),
        (["ends_at": "2026-11-24T09:00"], "ends_at"), (["ends_at": "2026-11-24T08:00"], "ends_at"),
        (["starts_at": "2026-08-01T09:00", "ends_at": "2026-08-01T09:50"], "starts_at"),
        (["starts_at": ""], "starts_at"), (["ends_at": "2026-11-26T09:00"], "ends_at"),
    ])
    func `IO-14 what does not fit is refused with its reason, and what was typed stays`(
        fields: [String: String], wrong: String
    ) {
        let answer = portal.post("/my/appointments/new", changed(fields), as: .pia)
        #expect(answer.status == 422)
        #expect(answer.text.contains("href=\"#\(wrong)\""))
        #expect(answer.text.contains("Überweisung") && answer.text.contains("value=\"\(Self.id)\""))
        #expect(portal.call(.get, "/my/appointments", as: .pia).list.isEmpty)
    }

    @Test func `IO-14 changed with the state in view; what a phone changed meanwhile is shown beside it`() {
        make()
        let seen = portal.revision(on: path, as: .pia)
        let phone = """
            {"title": "Verschoben", "starts_at": "2026-11-25T08:00:00Z", "ends_at": "2026-11-25T08:50:00Z"}
            """
        #expect(portal.change(.put, path, phone, as: .pia).status == 200)
        let mine = changed(["title": "Meins"]) + [seen]
        let stale = portal.post(path, mine, as: .pia)
        #expect(stale.status == 412)
        #expect(stale.text.contains("value=\"Meins\"") && stale.text.contains("Verschoben"))
        // Seen now: saved once more it counts.
        let now = stale.text.firstMatch(of: /name="revision" value="(\d+)"/).map { String($0.1) } ?? ""
        let again = portal.post(path, changed(["title": "Meins"]) + [("revision", now)], as: .pia)
        #expect(again.status == 303)
        let title = portal.call(.get, path, as: .pia).attributes["title"]?.string
        #expect(title == "Meins")
        // Gone back to the empty form and sent with other words: shown, not overwritten.
        let back = portal.post("/my/appointments/new", changed(["title": "Anders"]), as: .pia)
        #expect(back.status == 412 && back.text.contains("action=\"\(path)\""))
    }

    @Test func `IO-14 deleting asks first, and not what was changed meanwhile`() {
        make()
        let seen = portal.revision(on: "\(path)/removal", as: .pia)
        #expect(portal.call(.get, "/my/appointments", as: .pia).list.count == 1)
        #expect(portal.post(path, changed(["title": "Neu"]) + [seen], as: .pia).status == 303)
        let stale = portal.post("\(path)/removal", [seen], as: .pia)
        #expect(stale.status == 412 && stale.text.contains("Neu"))
        let now = portal.revision(on: "\(path)/removal", as: .pia)
        for _ in 0..<2 { #expect(portal.post("\(path)/removal", [now], as: .pia).status == 303) }
        #expect(portal.call(.get, "/my/appointments", as: .pia).list.isEmpty)
        #expect(portal.get(path, as: .pia).status == 410)
    }

    @Test func `IO-14 files for calendars, of one and of all, with the own title`() {
        make()
        for target in ["/my/appointments.ics", "\(path)/appointment.ics"] {
            let file = portal.get(target, as: .pia)
            #expect(file.headers["Content-Type"] == "text/calendar; charset=utf-8")
            #expect(file.headers["Content-Disposition"]?.contains("attachment") == true)
            #expect(file.text.contains("SUMMARY:Therapie\\; Wien\r\n"))
            #expect(file.text.contains("DTSTART:20261124T080000Z\r\n"))
            // What is noted beside it does not travel.
            #expect(!file.text.contains("Überweisung"))
        }
    }

    @Test func `IO-14 nobody else's, and nothing without a practice`() {
        make()
        for target in [path, "\(path)/removal", "\(path)/appointment.ics"] {
            #expect(portal.get(target, as: .quinn).status == 404)
        }
        #expect(portal.post("\(path)/removal", as: .quinn).status == 404)
        #expect(portal.get("/my/appointments", as: .nora).text.contains("href=\"/pair\""))
        #expect(portal.post("/my/appointments/new", Self.form, as: .nora).status == 403)
    }

    @Test func `IO-14 what is over is paged`() {
        for day in 1...9 {
            for hour in 8...10 {
                let id = "5f1f2c1e-6f0e-4b57-9a53-0c6d0f3b\(1000 + day * 100 + hour)"
                let clock = "2026-11-0\(day)T\(hour < 10 ? "0" : "")\(hour)"
                let made = portal.post(
                    "/my/appointments/new",
                    [
                        ("id", id), ("title", "Nr"), ("starts_at", "\(clock):00"),
                        ("ends_at", "\(clock):50"),
                    ], as: .pia)
                #expect(made.status == 303)
            }
        }
        let first = portal.get("/my/appointments", as: .pia).text
        #expect(first.contains("?page=2#past") && !first.contains("Neuere anzeigen"))
        #expect(portal.get("/my/appointments?page=2", as: .pia).text.contains("?page=1#past"))
    }
}
