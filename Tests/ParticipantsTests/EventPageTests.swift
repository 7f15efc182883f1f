import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// ST-2: the buttons of events on the pages of participants.
@Suite struct EventPageTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    private func begin(_ event: String) -> String {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, ", \"event\": \"\(event)\"")
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 60)
        return study
    }

    private func page(_ path: String = "/my") -> String { portal.get(path, as: .nora).text }

    /// Sends the form of a page whose address ends so, as it is drawn.
    private func press(_ end: String, on path: String = "/my", _ typed: [String: String] = [:]) throws
        -> Response
    {
        let html = page(path)
        let actions = html.matches(of: /<form[^>]*action="([^"]*)"/).map { String($0.1) }
        let action = try #require(actions.first { $0.hasSuffix(end) }, "\(actions)")
        let form = try #require(FilledForm.read(html, action: action, typed: typed))
        return portal.post(form.address, form.fields, as: .nora)
    }

    private func events() -> [JSON] {
        portal.call(.get, "/my/events", as: .nora).list.compactMap { $0["attributes"] }
    }

    private let answers = ["enjoyed": "3", "calm": "3", "energy": "2", "slept": "4", "company": "3"]

    @Test func `ST-2 a moment leads to its questions, and is gone from the page once they are answered`()
        throws
    {
        _ = begin("moment")
        #expect(page().contains("Wenn es geschieht") && page().contains("Gerade jetzt"))
        let noted = try press("/my/events")
        let path = try #require(noted.headers["Location"])
        #expect(noted.status == 303 && path.hasPrefix("/my/events/"))
        #expect(events().map { $0["started_at"]?.string } == [portal.now.text])
        // What is not filled in yet waits on the first page, beside the button.
        #expect(page().contains("href=\"\(path)\"") && page().contains("Gerade jetzt"))
        portal.wait(seconds: 60)
        let form = Dictionary(
            uniqueKeysWithValues: answers.map { ("answers.\($0.key)", $0.value) } + [("action", "review")])
        let kept = try press(path, on: path, form)
        #expect(kept.status == 303, "\(kept.text)")
        let sent = try press(path, on: path + "?part=review", ["action": "send"])
        let thanks = try #require(sent.headers["Location"])
        #expect(thanks.hasPrefix(path + "/sent?sheet="), "\(sent.status) \(sent.text)")
        #expect(page(thanks).contains("Vielen Dank"))
        #expect(events().first?["contribution_id"]?.string != nil)
        #expect(!page().contains("href=\"\(path)\"") && page().contains("Gerade jetzt"))
        #expect(page(path).contains("schon gesendet"))
        #expect(try portal.count("answer_drafts") == 0)
    }

    @Test(arguments: ["/my", "/my/studies"])
    func `ST-2 a span begins, goes on and is over, on both pages`(_ place: String) throws {
        _ = begin("span")
        #expect(page(place).contains("Beginnt jetzt"))
        let begun = try press("/my/events", on: place)
        #expect(begun.status == 303 && begun.headers["Location"] == place)
        let goesOn = page(place)
        #expect(goesOn.contains("läuft seit 10:01") && !goesOn.contains("Beginnt jetzt"), "\(goesOn)")
        portal.wait(seconds: 1800)
        try portal.wait(awake: 0)
        let ended = try press("/end", on: place)
        let path = try #require(ended.headers["Location"])
        #expect(path.hasPrefix("/my/events/") && page(path).contains("answers.calm"))
        #expect(events().map { $0["ended_at"]?.string } == [portal.now.text])
        #expect(page(place).contains("10:01 bis 10:31") && page(place).contains("Beginnt jetzt"))
    }

    @Test func `ST-2 a mistake is taken away on the page, as long as nothing is filled in about it`() throws {
        _ = begin("span")
        _ = try press("/my/events")
        #expect(try press("/removal").headers["Location"] == "/my")
        #expect(events().isEmpty && page().contains("Beginnt jetzt"))
    }

    @Test func `ST-2 the same press sent twice notes one event`() throws {
        _ = begin("moment")
        let html = page()
        let form = try #require(FilledForm.read(html, action: "/my/events", typed: [:]))
        let answers = (0..<2).map { _ in portal.post(form.address, form.fields, as: .nora) }
        #expect(answers.map(\.status) == [303, 303])
        #expect(answers[0].headers["Location"] == answers[1].headers["Location"])
        #expect(events().count == 1)
    }

    @Test func `ST-2 where nothing can be noted there is no button, and a late press says why`() throws {
        let study = begin("moment")
        let form = try #require(FilledForm.read(page(), action: "/my/events", typed: [:]))
        #expect(portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena).status == 200)
        portal.wait(seconds: 60)
        #expect(!page().contains("Gerade jetzt"))
        let late = portal.post(form.address, form.fields, as: .nora)
        #expect(late.status == 303 && late.headers["Location"] == "/my")
        // What was not done bears no check mark, and is said once.
        let told = page()
        #expect(told.contains("errors__heading") && !told.contains("class=\"flash\""))
        #expect(told.contains("Zu dieser Zeit lief die Studie nicht."))
        #expect(!page().contains("Zu dieser Zeit lief die Studie nicht."))
        #expect(events().isEmpty)
        // Others see nothing of it, and have none.
        #expect(!portal.get("/my", as: .pia).text.contains("Wenn es geschieht"))
        let foreign = portal.get("/my/events/7d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b42", as: .nora)
        #expect(foreign.status == 404)
    }

    @Test func `ST-2 filled in at will is what has no button, without a connection too`() throws {
        try stay()
        _ = begin("moment")
        #expect(!page("/my/questionnaires").contains("/my/questionnaires/"))
        let plan = portal.get("/my/offline/plan", as: .nora, Self.json)
        #expect(plan.status == 200 && !plan.text.contains("/my/questionnaires/"))
    }
}

/// ST-2, PW-6: what a browser is given to press without a network, and what becomes of it.
extension EventPageTests {
    private static let json: Headers = ["Accept": "application/json"]
    private static let event = "5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b77"

    /// On a device of their own.
    private func stay() throws {
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            _ = try connection.run(
                "UPDATE credentials SET stays_until = 4000000000000 WHERE kind = 'session'")
        }
    }

    private func plan() throws -> JSON {
        try JSON.parse(portal.get("/my/offline/plan", as: .nora, Self.json).bytes)
    }

    private func send(_ fields: [(String, String)], to name: String = "events", as person: Person = .nora)
        -> Response
    {
        portal.post("/my/offline/" + name, fields, as: person, Self.json)
    }

    private func begun(_ item: String, at start: Instant) -> [(String, String)] {
        [
            ("id", Self.event), ("item_id", item), ("started_at", start.text), ("timezone", "Europe/Vienna"),
        ]
    }

    private func ended(at end: Instant) -> [(String, String)] {
        [("action", "end"), ("id", Self.event), ("ended_at", end.text)]
    }

    @Test func `ST-2 the plan has each button with its questions, and keeps the pages that show it`() throws {
        try stay()
        _ = begin("span")
        let plan = try plan()
        let button = try #require(plan["buttons"]?.array?.first)
        #expect(button["isSpan"] == .bool(true))
        #expect(button["press"]?.string == "Beginnt jetzt" && button["title"]?.string != nil)
        let version = try #require(button["version"]?.string)
        #expect(portal.get("/my/offline/forms/\(version)", as: .nora).status == 200)
        #expect(plan["pages"]?.array?.contains(.string("/my/studies")) == true)
        #expect(
            try JSON.parse(portal.get("/my/offline/plan", as: .pia, Self.json).bytes)["buttons"] == .array([])
        )
    }

    @Test func `ST-2 a press arrives once with the time of its device, its end too, then its sheet`() throws {
        try stay()
        _ = begin("span")
        let button = try #require(try plan()["buttons"]?.array?.first)
        let item = try #require(button["item"]?.string)
        let start = portal.now
        portal.wait(seconds: 3600)
        for _ in 0..<2 {
            let taken = try JSON.parse(send(begun(item, at: start)).bytes)
            #expect(taken["state"]?.string == "taken" && taken["path"]?.string == nil)
        }
        let end = start.adding(seconds: 600)
        for later in [0, 60] {
            let taken = try JSON.parse(send(ended(at: end.adding(seconds: Int64(later)))).bytes)
            #expect(taken["path"]?.string == "/my/events/\(Self.event)")
        }
        #expect(events().map { $0["started_at"]?.string } == [start.text])
        #expect(events().map { $0["ended_at"]?.string } == [end.text])
        // Its questions lie on the device until they are answered.
        let entry = try #require(try plan()["entries"]?.array?.first { $0["key"]?.string == Self.event })
        #expect(entry["path"]?.string == "/my/events/\(Self.event)")
        let now = portal.now.text
        let form =
            [
                ("id", "6d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b78"), ("event", Self.event), ("started_at", now),
                ("version", entry["version"]?.string ?? ""), ("completed_at", now),
                ("timezone", "Europe/Vienna"),
            ] + answers.map { ("answers.\($0.key)", $0.value) }
        let half = try JSON.parse(send(form + [("action", "keep")], to: "sheets").bytes)
        #expect(half["state"]?.string == "kept")
        let sent = send(form + [("action", "send")], to: "sheets")
        #expect(try JSON.parse(sent.bytes)["path"]?.string?.hasPrefix("/my/events/") == true, "\(sent.text)")
        #expect(events().first?["contribution_id"]?.string == "6d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b78")
        #expect(try plan()["entries"]?.array?.contains { $0["key"]?.string == Self.event } == false)
    }

    @Test func `ST-2 a sheet about a press that is not there is refused by that name, an end as well`() throws
    {
        try stay()
        _ = begin("span")
        let version = try plan()["buttons"]?.array?.first?["version"]?.string ?? ""
        let form = [
            ("id", "6d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b78"), ("event", Self.event), ("version", version),
            ("started_at", portal.now.text), ("completed_at", portal.now.text), ("action", "send"),
        ]
        let early = send(form, to: "sheets")
        #expect(early.status == 422 && early.text.contains("event_id"))
        let end = send(ended(at: portal.now))
        #expect(end.status == 422 && end.text.contains("event_id"))
        // Another person's press of the same button is none.
        let item = try plan()["buttons"]?.array?.first?["item"]?.string ?? ""
        #expect(send(begun(item, at: portal.now), as: .pia).status == 422)
        #expect(send(begun(item, at: portal.now.adding(days: -30))).status == 422)
        #expect(events().isEmpty)
    }

    @Test(arguments: [60, -600])
    func
        `ST-2 the end of a span that the server began is taken by the device's clock, answered and slow as well`(
            after seconds: Int64
        ) throws
    {
        try stay()
        _ = begin("span")
        let button = try #require(try plan()["buttons"]?.array?.first)
        let item = try #require(button["item"]?.string)
        // Between two seconds: calls and devices know whole ones.
        portal.wait(milliseconds: 123)
        let pressed = [("id", Self.event), ("item", item), ("from", "today")]
        #expect(portal.post("/my/events", pressed, as: .nora).status == 303)
        let start = portal.now
        portal.wait(seconds: 1)
        let now = portal.now.text
        let form =
            [
                ("id", "6d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b78"), ("event", Self.event), ("started_at", now),
                ("version", button["version"]?.string ?? ""), ("completed_at", now), ("action", "send"),
                ("timezone", "Europe/Vienna"),
            ] + answers.map { ("answers.\($0.key)", $0.value) }
        #expect(send(form, to: "sheets").status == 200)
        portal.wait(seconds: 120)
        let end = start.adding(seconds: seconds)
        let taken = send(ended(at: end))
        #expect(taken.status == 200, "\(taken.text)")
        #expect(events().map { $0["started_at"]?.string } == [start.text])
        #expect(events().map { $0["ended_at"]?.string } == [max(start, end).text])
    }
}
