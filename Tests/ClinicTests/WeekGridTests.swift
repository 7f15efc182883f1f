import HTTP
import JSON
import Records
import Scheduling
import Testing
import Web
import Wire
import Wording

@testable import Clinic
@testable import PortalTesting

/// PR-40: a week with hours, and moving noted sessions in it.
@Suite struct WeekGridTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }

    private func note(_ day: String, _ from: String = "09:00", _ until: String = "09:50") -> String {
        portal.call(
            .post, "\(pia)/sessions",
            #"{"starts_at": "2026-11-\#(day)T\#(from):00+01:00", "ends_at": "2026-11-\#(day)T\#(until):00+01:00"}"#,
            as: .ada
        ).id
    }

    private func start(_ id: String) -> String? {
        portal.call(.get, "\(pia)/sessions/\(id)", as: .ada).attributes["starts_at"]?.string
    }

    // MARK: The table

    private static func place(_ from: Int, _ until: Int, isOn: Bool = true) -> WeekGrid.Place {
        WeekGrid.Place(
            visit: .init(
                codename: "C1", alias: nil, times: "", number: nil, tone: "accent", state: nil, path: "/",
                move: nil, startsAt: "", isAtOnce: false), from: from, until: until, isOn: isOn)
    }

    private func grid(_ places: [WeekGrid.Place], away: [ClosedRange<LocalDate>] = []) -> WeekGrid {
        let texts = portal.services.texts(.german)
        let monday = LocalDate("2026-11-23") ?? .example
        return WeekGrid(
            (0..<7).map { monday.adding(days: $0) }, places: [monday: places], away: AwayDays(away), texts,
            DateFormat(texts, Zone("Europe/Vienna"), now: portal.now))
    }

    /// Every row has a cell for each day, or one from above reaches into it.
    private func isWhole(_ grid: WeekGrid) -> Bool {
        let cells = grid.rows.flatMap(\.cells).reduce(0) { $0 + $1.span }
        return cells == grid.rows.count * grid.columns.count
    }

    @Test func `PR-40 a session is as high as it is long, and free time between two is said`() {
        let grid = grid([Self.place(540, 590), Self.place(660, 750)])
        let monday = grid.rows.compactMap { row in row.cells.first { $0.at.hasPrefix("2026-11-23") } }
        #expect(monday.filter(\.hasVisits).map(\.span) == [2, 3] && isWhole(grid))
        #expect(monday.compactMap(\.gap) == ["frei 09:50 – 11:00"])
        #expect(grid.rows.first?.time == "08:00" && grid.rows.last?.time == "17:30")
    }

    @Test func `PR-40 what was cancelled leaves its time free`() {
        let grid = grid([Self.place(540, 590), Self.place(600, 650, isOn: false), Self.place(720, 770)])
        #expect(grid.rows.flatMap(\.cells).compactMap(\.gap).isEmpty == false || isWhole(grid))
        let off = self.grid([Self.place(540, 590), Self.place(600, 650, isOn: false)])
        #expect(off.rows.flatMap(\.cells).compactMap(\.gap).isEmpty)
    }

    @Test(arguments: [
        [(0, 50), (1380, 1440)], [(540, 600), (555, 700), (690, 720)], [(1435, 1440)],
        [(600, 605), (605, 610)],
    ])
    func `PR-40 early, late and overlapping sessions all have a place`(_ times: [(Int, Int)]) {
        let grid = grid(times.map { Self.place($0.0, $0.1) })
        #expect(isWhole(grid))
        #expect(grid.rows.flatMap(\.cells).flatMap(\.visits).count == times.count)
    }

    @Test func `PR-40 the days of an absence are shaded`() throws {
        let from = try #require(LocalDate("2026-11-25"))
        let grid = grid([], away: [from...from.adding(days: 1)])
        #expect(grid.columns.map(\.isAway) == [false, false, true, true, false, false, false])
        let cover =
            #"{"colleague_email": "ben@example.org", "patients": "all", "from": "2026-11-25", "until": "2026-11-26", "access": "read"}"#
        #expect(portal.call(.post, "/covers", cover, as: .ada).status == 201)
        let page = portal.get("/appointments?week=2026-11-25", as: .ada).text
        #expect(page.matches(of: /week__cell--away/).count == 40)
    }

    // MARK: Moving

    @Test func `PR-40 a noted session is moved by call and by form, and keeps its length`() throws {
        let id = note("24")
        let page = portal.get("/appointments?week=2026-11-24", as: .ada).text
        #expect(page.contains(#"data-move="\#(pia)/sessions/\#(id)/time""#))
        let form = portal.get("\(pia)/sessions/\(id)/time", as: .ada).text
        #expect(form.contains("2026-11-24T09:00") && form.contains("50 Minuten"))
        let was = try #require(start(id))
        let sent = portal.post(
            "\(pia)/sessions/\(id)/time", [("was", was), ("starts_at", "2026-12-01T10:30")], as: .ada)
        #expect(sent.status == 303 && sent.headers["Location"] == "/appointments?week=2026-11-30")
        #expect(start(id) == "2026-12-01T09:30:00.000Z" || start(id) == "2026-12-01T09:30:00Z")
        let body = #"{"starts_at": "2026-12-02T09:00:00Z", "ends_at": "2026-12-02T10:30:00Z"}"#
        let called = portal.change(.patch, "\(pia)/sessions/\(id)", body, as: .ada)
        #expect(called.status == 200, "\(called.text)")
        #expect(called.attributes["ends_at"]?.string?.hasPrefix("2026-12-02T10:30:00") == true)
        #expect(try portal.audit().count { $0 == "session.moved" } == 2)
    }

    @Test func `PR-40 a form that is out of date moves nothing, the same one sent twice does no harm`() throws
    {
        let id = note("24")
        let was = try #require(start(id))
        let path = "\(pia)/sessions/\(id)/time"
        let first = [("was", was), ("starts_at", "2026-12-01T10:30")]
        #expect(portal.post(path, first, as: .ada).status == 303)
        #expect(portal.post(path, first, as: .ada).status == 303)
        let late = portal.post(path, [("was", was), ("starts_at", "2026-12-03T08:00")], as: .ada)
        #expect(late.status == 409)
        #expect(start(id)?.hasPrefix("2026-12-01T09:30:00") == true)
    }

    @Test func `PR-40 a form of a session that was moved meanwhile goes on from where it is now`() throws {
        let id = note("24")
        let was = try #require(start(id))
        let path = "\(pia)/sessions/\(id)/time"
        let elsewhere = #"{"starts_at": "2026-11-25T09:00:00Z", "ends_at": "2026-11-25T09:50:00Z"}"#
        #expect(portal.change(.patch, "\(pia)/sessions/\(id)", elsewhere, as: .ada).status == 200)
        let typed = ("starts_at", "2026-12-01T10:30")
        let refused = portal.post(path, [("was", was), typed], as: .ada)
        #expect(refused.status == 409 && refused.text.contains(#"value="2026-12-01T10:30""#))
        #expect(refused.text.contains("Das wurde nicht gespeichert"))
        let now = try #require(refused.text.firstMatch(of: /name="was" value="([^"]*)"/)).1
        #expect(portal.post(path, [("was", String(now)), typed], as: .ada).status == 303)
        #expect(start(id)?.hasPrefix("2026-12-01T09:30:00") == true)
    }

    @Test func `PR-40 bad times are said at the field, and appointments stay with the patient`() throws {
        let id = note("24")
        let was = try #require(start(id))
        let path = "\(pia)/sessions/\(id)/time"
        for (starts, ends) in [
            ("", ""), ("morgen", ""), ("2036-01-01T09:00", ""), ("2026-12-01T10:00", "2026-12-01T09:00"),
        ] {
            let bad = portal.post(
                path, [("was", was), ("starts_at", starts), ("ends_at", ends)], as: .ada)
            #expect(bad.status == 422 && bad.text.contains(#"value="\#(starts)""#), "\(starts)")
        }
        let half = portal.change(
            .patch, "\(pia)/sessions/\(id)", #"{"starts_at": "2026-12-02T09:00:00Z"}"#, as: .ada)
        #expect(half.status == 422)
        // Held is held: it is not moved to a day that is to come.
        let over = note("18")
        let marked = portal.change(.patch, "\(pia)/sessions/\(over)", #"{"state": "held"}"#, as: .ada)
        #expect(marked.status == 200)
        let ahead = #"{"starts_at": "2026-12-02T09:00:00Z", "ends_at": "2026-12-02T10:00:00Z"}"#
        #expect(portal.change(.patch, "\(pia)/sessions/\(over)", ahead, as: .ada).status == 422)
        let appointment = "5a1c9a0e-98a5-4a9f-8d3e-000000000777"
        let own =
            #"{"title": "Therapie", "starts_at": "2026-11-26T09:00:00Z", "ends_at": "2026-11-26T09:50:00Z"}"#
        let kept = portal.call(.put, "/my/appointments/\(appointment)", own, as: .pia)
        #expect([200, 201].contains(kept.status), "\(kept.text)")
        let sessions = portal.call(.get, "\(pia)/sessions", as: .ada).list
        let session = try #require(
            sessions.first { $0["attributes"]?["appointment_id"]?.string == appointment }?["id"]?.string)
        let refused = portal.change(.patch, "\(pia)/sessions/\(session)", ahead, as: .ada)
        #expect(refused.status == 409 && refused.text.contains("session_is_appointment"))
        #expect(portal.get("\(pia)/sessions/\(session)/time", as: .ada).status == 409)
    }

    @Test func `PR-40 somebody else's session is not found`() throws {
        let id = note("24")
        let path = "\(pia)/sessions/\(id)/time"
        #expect(portal.get(path, as: .ben).status == 404)
        #expect(portal.post(path, [("starts_at", "2026-12-01T10:30")], as: .ben).status == 404)
        #expect(portal.get("\(pia)/sessions/\(portal.cast.study)/time", as: .ada).status == 404)
    }

    // MARK: Two at the same time

    /// What the page says after a form was sent.
    private func told(_ path: String, _ fields: [(String, String)], in browser: Browser) -> String {
        let sent = browser.post(path, fields)
        #expect(sent.status == 303, "\(sent.text)")
        return browser.get(sent.headers["Location"] ?? "").text
    }

    /// Another patient of Ada's.
    private func newcomer() -> String {
        "/patients/" + portal.call(.post, "/patients", #"{"note": "neu"}"#, as: .ada).id
    }

    @Test func `RP-219 a session during another person's is noted, and said there and in the week`() {
        let other = newcomer()
        _ = note("24", "09:00", "09:50")
        let ada = Browser(portal)
        _ = ada.signIn("ada@example.org")
        let alone = told(
            "\(other)/sessions/new", [("starts_at", "2026-11-24T09:50"), ("ends_at", "2026-11-24T10:40")],
            in: ada)
        #expect(!alone.contains("Zur selben Zeit"))
        #expect(!ada.get("/appointments?week=2026-11-23").text.contains("zur selben Zeit"))
        let both = told(
            "\(other)/sessions/new",
            [("starts_at", "2026-11-24T08:30"), ("ends_at", "2026-11-24T09:10"), ("second", "true")], in: ada)
        #expect(both.contains("Zur selben Zeit steht schon eine andere Sitzung: "), "\(both)")
        let week = ada.get("/appointments?week=2026-11-23").text
        // Each of the two, in the table and in the list.
        #expect(week.matches(of: /zur selben Zeit wie eine andere Sitzung/).count == 4)
    }

    @Test func `RP-219 a series over sessions that are there names their days`() {
        let other = newcomer()
        _ = note("24", "09:00", "09:50")
        let own = portal.call(
            .post, "\(other)/sessions",
            #"{"starts_at": "2026-12-01T09:30:00+01:00", "ends_at": "2026-12-01T10:20:00+01:00"}"#, as: .ada)
        #expect(own.status == 201)
        let off = portal.call(
            .post, "\(pia)/sessions",
            #"{"starts_at": "2026-12-08T09:00:00+01:00", "ends_at": "2026-12-08T09:50:00+01:00"}"#, as: .ada)
        #expect(
            portal.change(.patch, "\(pia)/sessions/\(off.id)", #"{"state": "cancelled"}"#, as: .ada).status
                == 200)
        let ada = Browser(portal)
        _ = ada.signIn("ada@example.org")
        let said = told(
            "\(other)/sessions/new",
            [
                ("starts_at", "2026-11-24T09:00"), ("ends_at", "2026-11-24T09:50"), ("repeat_weeks", "1"),
                ("repeat_count", "4"),
            ], in: ada)
        // Another patient's and the same patient's, and not the cancelled one.
        #expect(said.contains("4 Sitzungen sind eingetragen."), "\(said)")
        #expect(
            said.contains("24.11.2026, 09:00; 1.12.2026, 09:00.")
                || said.contains("24.11.2026, 09:00; 01.12.2026, 09:00."))
    }
}
