import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Delivery
@testable import Instruments
@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// IO-9: what comes by itself, and follows sessions, the planned end and results.
@Suite struct DeliveryRuleTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var path: String { "/patients/\(pia)/delivery-rules" }

    init() throws { portal = try TestPortal() }

    func rule(_ fields: String, as person: Person = .ada) -> Response {
        portal.call(.post, path, "{\(fields)}", as: person)
    }

    /// The assignments of Pia's, but for the one the cast has.
    func made() -> [JSON] {
        portal.call(.get, "/patients/\(pia)/assignments", as: .ada).list.compactMap { item in
            let isCast = item["attributes"]?["source"] == .string("therapist")
            return isCast && (item["attributes"]?["available_from"]?.string ?? "") < "2026-11-20"
                ? nil : item["attributes"]
        }
    }

    func session(_ start: String, _ end: String) -> String {
        portal.call(
            .post, "/patients/\(pia)/sessions", #"{"starts_at": "\#(start)", "ends_at": "\#(end)"}"#, as: .ada
        ).id
    }

    static let before = #""occasion": "before_session", "questionnaire_key": "between-sessions""#

    @Test func `IO-9 every time before a session, from 24 hours before its start until then`() throws {
        #expect(rule(Self.before).status == 201)
        #expect(made().isEmpty)
        let id = session("2026-11-24T08:00:00Z", "2026-11-24T08:50:00Z")
        let first = try #require(made().first)
        #expect(first["source"] == .string("appointment"))
        #expect(first["available_from"] == .string("2026-11-23T08:00:00Z"))
        #expect(first["due_at"] == .string("2026-11-24T08:00:00Z"))
        // Reconciling once more changes nothing.
        try DeliveryPlanner.run(portal.services)
        #expect(made().count == 1)
        // Cancelled: taken back. Planned again: there again, the very same.
        let cancel = portal.call(
            .patch, "/patients/\(pia)/sessions/\(id)", #"{"state": "cancelled"}"#, as: .ada)
        #expect(cancel.status == 200 && made().isEmpty)
        _ = portal.call(.patch, "/patients/\(pia)/sessions/\(id)", #"{"state": "planned"}"#, as: .ada)
        #expect(made().count == 1)
        #expect(try portal.count("assignments") == 3)
    }

    @Test func `a session that moves takes its questionnaire along, one that goes takes it away`() throws {
        #expect(rule(Self.before).status == 201)
        let id = session("2026-11-24T08:00:00Z", "2026-11-24T08:50:00Z")
        try change(id, start: "2026-11-26T10:00:00Z", end: "2026-11-26T10:50:00Z")
        #expect(made().map { $0["due_at"] } == [.string("2026-11-26T10:00:00Z")])
        try portal.services.records.writeUnaudited(.madeUp) { [portal, pia] connection in
            try connection.run("DELETE FROM therapy_sessions WHERE id = \(id)")
            try DeliveryPlanner.reconcile(pia, portal.services, now: portal.now, connection)
        }
        #expect(made().isEmpty)
    }

    @Test func `an answer made in time counts, though the session was moved meanwhile`() throws {
        #expect(rule(Self.before).status == 201)
        let id = session("2026-11-20T15:00:00Z", "2026-11-20T15:50:00Z")
        let fetched = try #require(portal.call(.get, "/my/assignments", as: .pia).list.first?["id"]?.string)
        portal.wait(seconds: 600)
        try change(id, start: "2026-11-27T15:00:00Z", end: "2026-11-27T15:50:00Z")
        // On the phone that was away, what it had fetched was open.
        let body = SheetSample.sheetBody(assignment: fetched, at: "2026-11-20T09:05:00Z")
        #expect(portal.call(.put, SheetSample.path, body, as: .pia).status == 201)
        // Answered is answered: the session is not asked for once more.
        #expect(made().map { $0["due_at"] } == [.string("2026-11-20T15:00:00Z")])
        try change(id, start: "2026-11-28T15:00:00Z", end: "2026-11-28T15:50:00Z")
        #expect(made().map { $0["due_at"] } == [.string("2026-11-20T15:00:00Z")])
    }

    @Test func `moved back and forth, fetched or not, no more than one is open`() throws {
        #expect(rule(Self.before).status == 201)
        let id = session("2026-11-24T08:00:00Z", "2026-11-24T08:50:00Z")
        let open = {
            portal.call(.get, "/my/assignments", as: .pia).list.count {
                $0["attributes"]?["source"] == .string("appointment")
            }
        }
        #expect(open() == 1)
        let days = ["2026-11-26", "2026-11-24", "2026-11-27", "2026-11-26", "2026-11-24"]
        for (number, day) in days.enumerated() {
            try change(id, start: "\(day)T08:00:00Z", end: "\(day)T08:50:00Z")
            #expect(made().map { $0["due_at"] } == [.string("\(day)T08:00:00Z")], "\(number)")
            if number % 2 == 1 { #expect(open() == 1) }
        }
    }

    @Test func `a begin that is long over asks nobody`() throws {
        let begin = #""occasion": "therapy_begin", "questionnaire_key": "between-sessions", "open_hours": 1"#
        #expect(rule(begin).status == 201 && made().count == 1)
        try portal.services.records.writeUnaudited(.madeUp) { [pia] connection in
            try connection.run("DELETE FROM assignments WHERE therapy_id = \(pia) AND occasion = 'begin'")
        }
        portal.wait(seconds: 7200)
        try DeliveryPlanner.run(portal.services)
        #expect(made().isEmpty)
    }

    static let odd: [(String, [String])] = [
        (
            #""occasion": "result", "questionnaire_key": "between-sessions", "watched": "/", "threshold": 1"#,
            ["watched_key", "watched_scale"]
        ),
        (
            #""occasion": "result", "questionnaire_key": "between-sessions", "watched": "x", "threshold": 1"#,
            ["watched_key", "watched_scale"]
        ),
        (#""occasion": "repeated", "questionnaire_key": "between-sessions", "at": "-0:+5""#, ["at"]),
        (#""occasion": "repeated", "questionnaire_key": "between-sessions", "at": "9:5""#, ["at"]),
    ]

    @Test(arguments: odd) func `what only looks like a scale or a time is refused`(
        fields: String, names: [String]
    ) {
        #expect(rule(fields).wrongFields == names)
    }

    func change(_ id: String, start: String, end: String) throws {
        let from = Instant(start)
        let until = Instant(end)
        try portal.services.records.writeUnaudited(.madeUp) { [portal, pia] connection in
            try connection.run(
                "UPDATE therapy_sessions SET starts_at = \(from), ends_at = \(until) WHERE id = \(id)")
            try DeliveryPlanner.reconcile(pia, portal.services, now: portal.now, connection)
        }
    }

    @Test func `what was answered, or taken back by hand, stays as it is when its session moves`() throws {
        #expect(rule(Self.before).status == 201)
        let id = session("2026-11-20T15:00:00Z", "2026-11-20T15:50:00Z")
        let assignment = try #require(
            portal.call(.get, "/my/assignments", as: .pia).list.first?["id"]?.string)
        let body = SheetSample.sheetBody(assignment: assignment)
        #expect(portal.call(.put, SheetSample.path, body, as: .pia).status == 201)
        try change(id, start: "2026-11-27T15:00:00Z", end: "2026-11-27T15:50:00Z")
        #expect(made().map { $0["due_at"] } == [.string("2026-11-20T15:00:00Z")])
        let other = session("2026-12-01T08:00:00Z", "2026-12-01T08:50:00Z")
        let open = portal.call(.get, "/my/assignments", as: .pia).list.last
        let withdrawal = "/patients/\(pia)/assignments/\(open?["id"]?.string ?? "")"
        #expect(portal.call(.delete, withdrawal, as: .ada).status == 204)
        try change(other, start: "2026-12-02T08:00:00Z", end: "2026-12-02T08:50:00Z")
        #expect(made().count == 1)
    }

    @Test func `a battery comes as one, in its order, at the begin`() throws {
        try portal.publish("wellbeing-5")
        let battery = portal.call(
            .post, "/batteries",
            #"{"name": "Beginn", "questionnaire_keys": ["wellbeing-5", "between-sessions"]}"#, as: .lena)
        #expect(battery.status == 201)
        let open = "/patients/\(portal.cast.openTherapy)/delivery-rules"
        let fields = #"{"occasion": "therapy_begin", "battery_id": "\#(battery.id)", "open_hours": 48}"#
        #expect(portal.call(.post, open, fields, as: .ada).status == 201)
        #expect(portal.call(.get, "/my/assignments", as: .nora).list.isEmpty)
        let pairing =
            #"{"code": "\#(portal.cast.openCode)", "birth_date": "1990-05-17", "gender": "diverse"}"#
        #expect(portal.call(.post, "/my/pairing", pairing, as: .nora).status == 201)
        let list = portal.call(.get, "/my/assignments", as: .nora).list.compactMap { $0["attributes"] }
        #expect(
            list.map { $0["questionnaire_key"] } == [.string("wellbeing-5"), .string("between-sessions")])
        #expect(
            list.allSatisfy {
                $0["source"] == .string("therapy_begin") && $0["due_at"] == .string("2026-11-22T09:00:00Z")
            })
    }

    @Test func `at the planned end, and along with it when it moves`() throws {
        #expect(
            rule(#""occasion": "therapy_end", "questionnaire_key": "between-sessions", "open_hours": 24"#)
                .status == 201)
        #expect(made().isEmpty)
        #expect(
            portal.call(.patch, "/patients/\(pia)", #"{"therapy_ends_on": "2026-12-18"}"#, as: .ada).status
                == 200)
        // Until the end of the day where the patient is.
        #expect(made().map { $0["due_at"] } == [.string("2026-12-18T23:00:00Z")])
        _ = portal.call(.patch, "/patients/\(pia)", #"{"therapy_ends_on": "2027-01-15"}"#, as: .ada)
        #expect(made().map { $0["due_at"] } == [.string("2027-01-15T23:00:00Z")])
        _ = portal.call(.patch, "/patients/\(pia)", #"{"therapy_ends_on": null}"#, as: .ada)
        #expect(made().isEmpty)
    }

    @Test func `regularly, at the patient's time of day, also when the clocks change`() throws {
        let weekly =
            #""occasion": "repeated", "questionnaire_key": "between-sessions", "every": 1, "unit": "week", "starts_on": "2026-11-21", "at": "09:30", "open_hours": 12"#
        #expect(rule(weekly).status == 201)
        let due = made().compactMap { $0["available_from"]?.string }.sorted()
        #expect(due.count == 9 && due.first == "2026-11-21T08:30:00Z" && due.last == "2027-01-16T08:30:00Z")
        portal.wait(days: 130)
        try DeliveryPlanner.run(portal.services)
        let later = try portal.services.records.read { try DeliveryRuleStore.made(in: pia, $0) }.map(
            \.from.text)
        // Two days past the change to summer time: the same time of day.
        #expect(later.contains("2027-04-03T07:30:00Z"))
    }

    @Test func `a month has its last day where the day is missing`() {
        let rhythm = DeliveryRule.Rhythm(
            every: 1, unit: .month, startsOn: LocalDate("2026-12-31")!, atMinute: 0, endsOn: nil)
        let days = rhythm.days(from: LocalDate("2027-01-01")!, through: LocalDate("2027-05-01")!)
        #expect(days.map(\.text) == ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"])
        let late = rhythm.days(from: LocalDate("2056-02-01")!, through: LocalDate("2056-03-01")!)
        #expect(late.map(\.text) == ["2056-02-29"])
        let threeDays = DeliveryRule.Rhythm(
            every: 3, unit: .day, startsOn: LocalDate("2026-11-20")!, atMinute: 0,
            endsOn: LocalDate("2026-11-27")!)
        #expect(
            threeDays.days(from: LocalDate("2026-11-21")!, through: LocalDate("2027-01-01")!).map(\.text) == [
                "2026-11-23", "2026-11-26",
            ])
    }

    @Test func `after a result, at most once in so many days, and never because of itself`() throws {
        let watch =
            #""occasion": "result", "questionnaire_key": "between-sessions", "watched_key": "between-sessions", "watched_scale": "intensity", "comparison": "at_least", "threshold": 2, "rest_days": 3"#
        #expect(rule(watch).status == 201)
        let send = { (number: Int, assignment: String) in
            portal.call(
                .put, "/my/contributions/00000000-0000-4000-8000-00000000000\(number)",
                SheetSample.sheetBody(assignment: assignment, at: portal.now.text), as: .pia)
        }
        #expect(send(1, portal.cast.assignment).attributes["scores"]?["intensity"] == .number(2))
        let own = try #require(portal.call(.get, "/my/assignments", as: .pia).list.first)
        #expect(own["attributes"]?["source"] == .string("rule"))
        portal.wait(seconds: 60)
        #expect(send(2, own["id"]?.string ?? "").status == 201)
        #expect(portal.call(.get, "/my/assignments", as: .pia).list.isEmpty)
        let byHand = {
            portal.call(
                .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "between-sessions"}"#, as: .ada
            ).id
        }
        let second = byHand()
        #expect(send(3, second).status == 201)
        #expect(portal.call(.get, "/my/assignments", as: .pia).list.isEmpty)
        let third = byHand()
        portal.wait(days: 4)
        #expect(send(4, third).status == 201)
        #expect(portal.call(.get, "/my/assignments", as: .pia).list.count == 1)
    }

    @Test func `stopping a rule takes back what nobody has answered`() throws {
        let made = rule(Self.before)
        _ = session("2026-11-24T08:00:00Z", "2026-11-24T08:50:00Z")
        #expect(self.made().count == 1)
        #expect(portal.call(.delete, "\(path)/\(made.id)", as: .ben).status == 404)
        #expect(portal.call(.delete, "\(path)/\(made.id)", as: .ada).status == 204)
        #expect(self.made().isEmpty && portal.call(.get, path, as: .ada).list.count == 1)
    }

    static let wrong: [(String, [String])] = [
        (#""occasion": "sometimes", "questionnaire_key": "between-sessions""#, ["occasion"]),
        (#""occasion": "before_session""#, ["questionnaire_key"]),
        (#""occasion": "before_session", "questionnaire_key": "nothing""#, ["questionnaire_key"]),
        (
            #""occasion": "before_session", "battery_id": "11111111-2222-4333-8444-555555555555""#,
            ["battery_id"]
        ),
        (
            #""occasion": "before_session", "questionnaire_key": "between-sessions", "open_hours": 0"#,
            ["open_hours"]
        ),
        (#""occasion": "before_session", "questionnaire_key": "between-sessions", "every": 2"#, ["every"]),
        (
            #""occasion": "repeated", "questionnaire_key": "between-sessions", "every": 1, "unit": "day", "open_hours": 25"#,
            ["open_hours"]
        ),
        (#""occasion": "repeated", "questionnaire_key": "between-sessions", "at": "25:00""#, ["at"]),
        (
            #""occasion": "repeated", "questionnaire_key": "between-sessions", "starts_on": "2026-12-01", "ends_on": "2026-11-01""#,
            ["ends_on"]
        ),
        (
            #""occasion": "result", "questionnaire_key": "between-sessions", "watched_key": "between-sessions", "watched_scale": "none", "threshold": 1"#,
            ["watched_scale"]
        ),
        (
            #""occasion": "result", "questionnaire_key": "between-sessions""#,
            ["watched_key", "watched_scale", "threshold"]
        ),
    ]

    @Test(arguments: wrong) func `rules that cannot be are refused under their field`(
        fields: String, names: [String]
    ) throws {
        let answer = rule(fields)
        #expect(answer.status == 422 && answer.wrongFields == names, "\(answer.text)")
        #expect(try portal.count("delivery_rules") == 1)
    }

    @Test func `a battery is assigned as one by hand, and names what is wrong with it`() throws {
        try portal.publish("wellbeing-5")
        for (body, field) in [
            (#"{"name": "", "questionnaire_keys": ["wellbeing-5"]}"#, "name"),
            (#"{"name": "x", "questionnaire_keys": []}"#, "questionnaire_keys"),
            (#"{"name": "x", "questionnaire_keys": ["wellbeing-5", "wellbeing-5"]}"#, "questionnaire_keys"),
            (#"{"name": "x", "questionnaire_keys": ["none"]}"#, "questionnaire_keys"),
        ] {
            #expect(portal.call(.post, "/batteries", body, as: .ada).wrongFields == [field], "\(body)")
        }
        let form = [
            ("name", "Ende"), ("questionnaire_key", "wellbeing-5"), ("questionnaire_key", ""),
            ("questionnaire_key", "between-sessions"),
        ]
        #expect(portal.post("/batteries/new", form, as: .ada).status == 303)
        #expect(portal.post("/batteries/new", form, as: .ada).status == 422)
        let battery = try #require(portal.call(.get, "/batteries", as: .ada).list.first?["id"]?.string)
        let chosen = "battery:\(battery)"
        let assign = [("questionnaire_key", chosen), ("again", "\(chosen) 1")]
        #expect(portal.post("/patients/\(pia)/assignments/new", assign, as: .ada).status == 303)
        let list = portal.call(.get, "/my/assignments", as: .pia).list.compactMap {
            $0["attributes"]?["questionnaire_key"]?.string
        }
        #expect(list.suffix(2) == ["wellbeing-5", "between-sessions"])
        let seen = portal.revision(on: "/batteries/\(battery)", as: .ada)
        #expect(portal.post("/batteries/\(battery)/removal", [seen], as: .ada).status == 409)
        let call = portal.call(
            .post, "/patients/\(pia)/battery-assignments", #"{"battery_id": "\#(battery)"}"#, as: .ada)
        #expect(call.status == 201 && call.list.count == 2)
    }

    // MARK: The ledger

    @Test func `the ledger knows when a delivery was planned, fetched, notified, opened, answered`() throws {
        let entry = {
            portal.call(.get, "/patients/\(pia)/deliveries", as: .ada).list.first?["attributes"] ?? .null
        }
        #expect(entry()["fetched_at"] == .null && entry()["state"] == .string("open"))
        for page in ["/patients/\(pia)/deliveries", "/patients/\(pia)"] {
            #expect(portal.get(page, as: .ada).text.contains("hat kein Gerät erreicht"), "\(page)")
        }
        _ = portal.call(.get, "/my/assignments", as: .pia)
        #expect(!portal.get("/patients/\(pia)/deliveries", as: .ada).text.contains("hat kein Gerät erreicht"))
        #expect(entry()["fetched_at"] == .string("2026-11-20T09:00:00Z"))
        let path = "/my/assignments/\(portal.cast.assignment)"
        let report = #"{"notified_at": "2026-11-20T08:50:00Z", "opened_at": "2026-11-20T08:51:00Z"}"#
        #expect(portal.call(.patch, path, report, as: .quinn).status == 404)
        #expect(
            portal.call(.patch, path, #"{"opened_at": "2026-11-20T10:00:00Z"}"#, as: .pia).wrongFields == [
                "opened_at"
            ])
        #expect(portal.call(.patch, path, #"{"mood": 3}"#, as: .pia).wrongFields == ["mood"])
        #expect(portal.call(.patch, path, report, as: .pia).status == 200)
        #expect(portal.call(.patch, path, report, as: .pia).status == 200)
        #expect(portal.call(.patch, path, #"{"opened_at": "2026-11-20T08:55:00Z"}"#, as: .pia).status == 409)
        #expect(entry()["opened_at"] == .string("2026-11-20T08:51:00Z"))
        let body = SheetSample.sheetBody(assignment: portal.cast.assignment)
        #expect(portal.call(.put, SheetSample.path, body, as: .pia).status == 201)
        #expect(
            entry()["answered_at"] == .string("2026-11-20T09:00:00Z")
                && entry()["state"] == .string("answered"))
        let page = portal.get("/patients/\(pia)/deliveries", as: .ada).text
        #expect(page.contains("2 geplant, 2 zugestellt, 2 beantwortet"))
    }

    @Test func `the daily questionnaire can be switched off and on for one patient`() throws {
        try portal.publish("intersession-daily")
        let plan = { portal.call(.get, "/my/dailies", as: .pia).list.count }
        #expect(plan() > 20)
        #expect(portal.post("/patients/\(pia)/dailies", [("dailies", "false")], as: .ada).status == 303)
        #expect(plan() <= 1)
        #expect(portal.post("/patients/\(pia)/dailies", [("dailies", "true")], as: .ada).status == 303)
        #expect(plan() > 20)
        #expect(portal.post("/patients/\(pia)/dailies", [("dailies", "true")], as: .ben).status == 404)
        // FD-24: in the ledger once they have come.
        try portal.wait(awake: 1)
        let page = portal.get("/patients/\(pia)/deliveries?dailies=true", as: .ada).text
        #expect(page.contains("<th scope=\"row\">Tagesabfrage</th>"))
    }

    @Test func `the same rule twice would ask twice`() throws {
        #expect(rule(Self.before).status == 201)
        #expect(rule(Self.before + #", "open_hours": 24"#).status == 409)
        let form = [("occasion", "before_session"), ("questionnaire_key", "between-sessions")]
        #expect(portal.post("/patients/\(pia)/delivery-rules/new", form, as: .ada).status == 409)
    }

    static let numbers = ["-1e300", "1e300", "0", "-1", "1.5", "366"]

    @Test(arguments: numbers) func `numbers beyond sense are refused, and nothing else with them`(
        number: String
    ) {
        let result =
            #""occasion": "result", "questionnaire_key": "between-sessions", "watched_key": "between-sessions", "watched_scale": "intensity", "threshold": 1, "rest_days": \#(number)"#
        #expect(rule(result).wrongFields == ["rest_days"])
        let often =
            #""occasion": "repeated", "questionnaire_key": "between-sessions", "unit": "day", "at": "08:00", "starts_on": "2026-11-22", "open_hours": 1, "every": \#(number)"#
        #expect(rule(often).wrongFields == ["every"])
        for word in ["inf", "nan", "1e999"] {
            let form = [
                ("occasion", "result"), ("questionnaire_key", "between-sessions"),
                ("watched", "between-sessions/intensity"), ("threshold", word),
            ]
            #expect(portal.post("/patients/\(pia)/delivery-rules/new", form, as: .ada).status == 422)
        }
    }

    @Test func `a protected instrument does not come in through a battery`() throws {
        try portal.publish("wellbeing-5")
        let battery = portal.call(
            .post, "/batteries", #"{"name": "B", "questionnaire_keys": ["wellbeing-5"]}"#, as: .lena
        ).id
        #expect(rule(#""occasion": "before_session", "battery_id": "\#(battery)""#).status == 201)
        var card = InstrumentCard()
        card.licence = .permission
        try portal.services.records.writeUnaudited(.madeUp) { [card] in
            try InstrumentStore.save(card, of: "between-sessions", $0)
        }
        let form = [
            ("name", "B"), ("questionnaire_key", "wellbeing-5"), ("questionnaire_key", "between-sessions"),
            portal.revision(on: "/batteries/\(battery)", as: .lena),
        ]
        #expect(portal.post("/batteries/\(battery)", form, as: .lena).status == 303)
        _ = session("2026-11-24T08:00:00Z", "2026-11-24T08:50:00Z")
        #expect(made().map { $0["questionnaire_key"] } == [.string("wellbeing-5")])
    }

    // MARK: PR-15: stopped, and taken up again

    @Test func `PR-15 stopping asks first, says what it takes back, and is undone with it`() throws {
        let id = rule(Self.before).id
        _ = session("2026-11-24T08:00:00Z", "2026-11-24T08:50:00Z")
        #expect(made().count == 1)
        let page = "\(path)/\(id)/stop"
        let ask = portal.get(page, as: .ada).text
        #expect(ask.contains("1 offener oder geplanter Fragebogen wird zurückgezogen."))
        #expect(portal.post(page, as: .ada).headers["Location"] == page && made().count == 1)
        #expect(portal.get(page, as: .ben).status == 404)
        #expect(portal.post(page, [("confirmed", "true")], as: .ada).status == 303)
        #expect(made().isEmpty)
        let plan = portal.get("/patients/\(pia)/deliveries", as: .ada).text
        #expect(
            plan.contains("Rückgängig machen")
                && plan.contains("In den letzten 30 Tagen aus dem Plan genommen"))
        #expect(portal.post("\(path)/\(id)/return", as: .ben).status == 404)
        #expect(portal.post("\(path)/\(id)/return", as: .ada).status == 303)
        #expect(made().count == 1)
        #expect(portal.call(.post, "\(path)/\(id)/return", as: .ada).status == 409)
    }

    @Test func `PR-15 what was assigned at the begin is open again when its rule is taken up`() throws {
        let begin = #""occasion": "therapy_begin", "questionnaire_key": "between-sessions", "open_hours": 48"#
        let id = rule(begin).id
        #expect(made().count == 1)
        #expect(portal.call(.delete, "\(path)/\(id)", as: .ada).status == 204)
        #expect(made().isEmpty)
        #expect(portal.call(.post, "\(path)/\(id)/return", as: .ada).attributes["stopped_at"] == .null)
        #expect(made().count == 1)
    }

    @Test func `PR-15 a rule is not taken up beside one that says the same, nor after 30 days`() throws {
        let id = rule(Self.before).id
        #expect(portal.call(.delete, "\(path)/\(id)", as: .ada).status == 204)
        let other = rule(Self.before).id
        #expect(portal.call(.post, "\(path)/\(id)/return", as: .ada).status == 409)
        #expect(portal.call(.delete, "\(path)/\(other)", as: .ada).status == 204)
        try portal.wait(awake: 30)
        #expect(portal.call(.post, "\(path)/\(id)/return", as: .ada).status == 410)
    }
}
