import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Delivery
@testable import PortalTesting
@testable import Records
@testable import Rules
@testable import Scheduling
@testable import Therapies
@testable import Web

/// Holidays: prompts rest, windows move, the timeline shows them, a substitute stands in.
@Suite struct PauseTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws { portal = try TestPortal() }

    func pause(_ start: String, _ end: String, own: Bool = false, cover: String = "Dr. Ben") -> Response {
        let body = #"{"starts_on": "\#(start)", "ends_on": "\#(end)", "cover": "\#(cover)"}"#
        return portal.call(.post, own ? "/pauses" : "/patients/\(pia)/pauses", body, as: .ada)
    }

    /// The days that have dailies planned.
    func dailyDays() -> [String] {
        let all = portal.call(.get, "/my/dailies?days=7", as: .pia).list
        let days = all.compactMap {
            $0["attributes"]?["available_from"]?.string.map { String($0.prefix(10)) }
        }
        return Set(days).sorted()
    }

    // MARK: Windows

    static let table: [(from: Int64, due: Int64, movedFrom: Int64, movedDue: Int64)] = [
        (1, 3, 1, 3), (8, 12, 8, 17), (11, 13, 15, 17), (9, 10, 9, 10), (15, 16, 15, 16), (14, 16, 15, 17),
        (5, 30, 5, 40), (21, 22, 25, 26),
    ]

    /// Two pauses: days 10 to 14, and 20 to 24. Times in days.
    @Test(arguments: table.indices) func `a window keeps its length outside of the pauses`(index: Int) throws
    {
        let zone = Zone("UTC")
        let day = { (number: Int64) in Instant(milliseconds: number * 86_400_000) }
        let pauses = try [(10, 14), (20, 24)].map { first, last in
            try self.record(LocalDate(daysSince1970: first), LocalDate(daysSince1970: last))
        }
        let row = Self.table[index]
        let moved = PauseSpans(pauses, zone).moved(day(row.from), day(row.due))
        #expect(moved.from == day(row.movedFrom) && moved.due == day(row.movedDue), "\(row)")
    }

    /// A pause as the table holds it.
    func record(_ first: LocalDate, _ last: LocalDate) throws -> PauseRecord {
        let id: ID<PauseRecord> = portal.services.chance.id()
        let ada = portal.cast.accounts[.ada] ?? ""
        let draft = try PauseDraft.read(
            InputReader(form: ["starts_on": first.text, "ends_on": last.text]), today: first)
        let made: PauseRecord? = try portal.services.records.writeUnaudited(.madeUp) { connection in
            try PauseStore.insert(
                draft, id: id, of: ada, therapy: nil, cover: nil, at: Cast.now, connection)
            return try PauseStore.find(id, of: ada, therapy: nil, connection)
        }
        return try #require(made)
    }

    // MARK: Effects

    @Test func `dailies rest, and come back with the days`() throws {
        try portal.publish("intersession-daily")
        let before = dailyDays()
        let prompts = portal.call(.get, "/my/dailies?days=7", as: .pia).list.count
        #expect(before.count == 8)
        let made = pause("2026-11-22", "2026-11-24")
        #expect(made.status == 201 && made.attributes["whose"] == .string("patient"))
        #expect(dailyDays() == before.filter { !["2026-11-22", "2026-11-23", "2026-11-24"].contains($0) })
        // A holiday of the therapist's over the same time is another one.
        let own = pause("2026-11-24", "2026-11-25", own: true)
        #expect(dailyDays().count == before.count - 4)
        #expect(portal.call(.delete, "/patients/\(pia)/pauses/\(made.id)", as: .ada).status == 204)
        #expect(dailyDays() == before.filter { !["2026-11-24", "2026-11-25"].contains($0) })
        #expect(portal.call(.delete, "/pauses/\(own.id)", as: .ada).status == 204)
        #expect(dailyDays() == before)
        #expect(try portal.audit().suffix(2) == ["pause.removed", "pause.removed"])
        #expect(portal.call(.get, "/my/dailies?days=7", as: .pia).list.count == prompts)
    }

    @Test func `the days that come into reach later rest too`() throws {
        try portal.publish("intersession-daily")
        _ = dailyDays()
        #expect(pause("2026-12-01", "2026-12-03", own: true).status == 201)
        portal.wait(days: 8)
        let days = dailyDays()
        #expect(!days.contains("2026-12-02") && days.contains("2026-11-30") && days.contains("2026-12-04"))
    }

    @Test func `what was given by hand gets as much more time, what comes by rule moves`() throws {
        let due = { (id: String) in
            portal.call(.get, "/my/assignments", as: .pia).list.first { $0["id"]?.string == id }?[
                "attributes"]?["due_at"]
        }
        #expect(due(portal.cast.assignment) == .string("2026-11-26T09:00:00Z"))
        let rule =
            #"{"occasion": "repeated", "questionnaire_key": "between-sessions", "every": 1, "unit": "day", "starts_on": "2026-11-23", "at": "09:00", "open_hours": 12}"#
        #expect(portal.call(.post, "/patients/\(pia)/delivery-rules", rule, as: .ada).status == 201)
        #expect(pause("2026-11-24", "2026-11-26").status == 201)
        #expect(due(portal.cast.assignment) == .string("2026-11-29T09:00:00Z"))
        let windows = portal.call(.get, "/my/assignments?limit=200", as: .pia).list.compactMap {
            $0["attributes"]?["source"] == .string("rule") ? $0["attributes"]?["available_from"]?.string : nil
        }
        // Of the three days only the last could be made up for, and the next day's is in its way.
        #expect(
            windows.prefix(3) == ["2026-11-23T08:00:00Z", "2026-11-27T08:00:00Z", "2026-11-28T08:00:00Z"])
        let weekly =
            #"{"occasion": "repeated", "questionnaire_key": "between-sessions", "every": 1, "unit": "week", "starts_on": "2026-11-25", "at": "09:00", "open_hours": 48}"#
        #expect(portal.call(.post, "/patients/\(pia)/delivery-rules", weekly, as: .ada).status == 201)
        let moved = portal.call(.get, "/my/assignments?limit=200", as: .pia).list.contains {
            $0["attributes"]?["available_from"] == .string("2026-11-26T23:00:00Z")
        }
        #expect(moved)
    }

    @Test func `days on which somebody is away already count once`() throws {
        let due = {
            portal.call(.get, "/my/assignments", as: .pia).list.first {
                $0["id"]?.string == portal.cast.assignment
            }?[
                "attributes"]?["due_at"]
        }
        let first = pause("2026-11-22", "2026-11-25")
        #expect(due() == .string("2026-11-30T09:00:00Z"))
        #expect(pause("2026-11-22", "2026-11-25", own: true).status == 201)
        #expect(due() == .string("2026-11-30T09:00:00Z"))
        #expect(pause("2026-11-24", "2026-11-27").status == 201)
        #expect(due() == .string("2026-12-02T09:00:00Z"))
        #expect(portal.call(.delete, "/patients/\(pia)/pauses/\(first.id)", as: .ada).status == 204)
        #expect(due() == .string("2026-12-02T09:00:00Z"))
    }

    @Test func `what a pause has moved stays open, though its day is long over`() throws {
        let weekly =
            #"{"occasion": "repeated", "questionnaire_key": "between-sessions", "every": 2, "unit": "week", "starts_on": "2026-11-25", "at": "09:00", "open_hours": 24}"#
        #expect(portal.call(.post, "/patients/\(pia)/delivery-rules", weekly, as: .ada).status == 201)
        #expect(pause("2026-11-22", "2026-12-01").status == 201)
        let open = {
            portal.call(.get, "/my/assignments", as: .pia).list.contains {
                $0["attributes"]?["available_from"] == .string("2026-12-01T23:00:00Z")
            }
        }
        #expect(open())
        portal.wait(days: 12)
        try DeliveryPlanner.run(portal.services)
        #expect(open())
    }

    @Test func `a begin that was moved stays when the pause goes`() throws {
        let begin =
            #"{"occasion": "therapy_begin", "questionnaire_key": "between-sessions", "open_hours": 12}"#
        #expect(portal.call(.post, "/patients/\(pia)/delivery-rules", begin, as: .ada).status == 201)
        let made = pause("2026-11-20", "2026-11-25")
        let open = {
            portal.call(.get, "/my/assignments", as: .pia).list.contains {
                $0["attributes"]?["source"] == .string("therapy_begin")
            }
        }
        #expect(open())
        try portal.wait(awake: 2)
        #expect(portal.call(.delete, "/patients/\(pia)/pauses/\(made.id)", as: .ada).status == 204)
        #expect(open())
    }

    @Test func `another zone and back brings no daily into a pause`() throws {
        try portal.publish("intersession-daily")
        _ = dailyDays()
        #expect(pause("2026-11-23", "2026-11-25").status == 201)
        for zone in ["Asia/Tokyo", "Europe/Vienna"] {
            #expect(portal.call(.patch, "/my/profile", #"{"timezone": "\#(zone)"}"#, as: .pia).status == 200)
            #expect(dailyDays().filter { ["2026-11-23", "2026-11-24"].contains($0) }.count <= 1, "\(zone)")
        }
        #expect(!dailyDays().contains("2026-11-24"))
    }

    @Test func `many look at once at a patient whose therapist is away`() async throws {
        #expect(pause("2026-11-18", "2026-11-25", own: true).status == 201)
        let portal = portal
        let path = "/patients/\(pia)"
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<24 { group.addTask { portal.get(path, as: .ada).status } }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count == 24 && statuses.allSatisfy { $0 == 200 })
    }

    @Test func `the timeline says so, the patient's page who stands in, the app too`() throws {
        #expect(pause("2026-11-18", "2026-11-25", own: true, cover: "Dr. Ben Steiner").status == 201)
        let timeline = portal.get("/patients/\(pia)/timeline", as: .ada).text
        #expect(
            timeline.contains("Abwesenheit, 18.11.2026 bis 25.11.2026")
                && timeline.contains("Vertretung: Dr. Ben Steiner"))
        #expect(
            portal.get("/patients/\(pia)", as: .ada).text.contains(
                "Pause bis 25.11.2026 · Vertretung: Dr. Ben Steiner"))
        let therapist = portal.call(.get, "/my/therapist", as: .pia).json["meta"]
        #expect(
            therapist?["cover"] == .string("Dr. Ben Steiner")
                && therapist?["away_until"] == .string("2026-11-25"))
        #expect(therapist?["notice"]?.string?.contains("nicht rund um die Uhr") == true)
        #expect(portal.call(.get, "/my/therapist", as: .quinn).json["meta"]?["cover"] == nil)
        #expect(
            portal.get("/patients/\(pia)/appointments?month=2026-11", as: .ada).text.contains(
                "month__day--paused"))
    }

    @Test func `rules wait while somebody is away, and silence begins after it`() throws {
        let rule =
            #"{"name": "x", "conditions": [{"kind": "silent", "days": 5}], "briefing": "x", "enabled": true}"#
        #expect(portal.call(.post, "/rules", rule, as: .ada).status == 201)
        #expect(pause("2026-11-20", "2026-11-30").status == 201)
        try portal.wait(awake: 6)
        #expect(try RuleRun.tick(portal.services).fired == 0)
        try portal.wait(awake: 8)
        #expect(try RuleRun.tick(portal.services).fired == 0)
        try portal.wait(awake: 2)
        #expect(try RuleRun.tick(portal.services).fired == 1)
    }

    // MARK: Bad input

    static let wrong: [(String, String, [String])] = [
        ("2026-11-25", "2026-11-24", ["ends_on"]), ("2026-11-01", "2026-11-19", ["ends_on"]),
        ("2026-11-21", "2027-11-22", ["ends_on"]), ("2029-11-21", "2029-11-22", ["starts_on"]),
        ("2026-02-30", "2026-11-22", ["starts_on"]),
    ]

    @Test(arguments: wrong) func `a pause that cannot be is refused`(
        start: String, end: String, fields: [String]
    ) throws {
        #expect(pause(start, end).wrongFields == fields)
        let form = [("starts_on", start), ("ends_on", end), ("cover", "Dr. Ben")]
        let page = portal.post("/pauses", form, as: .ada)
        #expect(page.status == 422 && page.text.contains(#"value="Dr. Ben""#))
        #expect(try portal.count("pauses") == 1)
    }

    @Test func `somebody else's pause is not found`() throws {
        let own = pause("2026-11-22", "2026-11-24", own: true)
        #expect(portal.call(.delete, "/pauses/\(own.id)", as: .ben).status == 404)
        #expect(portal.call(.delete, "/patients/\(pia)/pauses/\(own.id)", as: .ada).status == 404)
        #expect(portal.call(.delete, "/pauses/\(portal.cast.pause)", as: .ada).status == 404)
        #expect(portal.call(.get, "/pauses", as: .ben).list.isEmpty)
        #expect(portal.post("/pauses/\(own.id)/removal", as: .ada).status == 303)
        #expect(portal.call(.delete, "/pauses/\(own.id)", as: .ada).status == 404)
    }
}
