import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Studies
@testable import Web

/// The prompt that a sheet answers, and the prompts of each participant: decided once, and the same everywhere.
@Suite struct PromptTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        for key in ["wellbeing-5", "intersession-daily"] { try portal.publish(key) }
    }

    /// Lets time pass until a moment.
    func wait(until moment: String) throws {
        let at = try #require(Instant(moment))
        portal.wait(seconds: at.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    func waiting(_ person: Person = .nora) -> [JSON] {
        portal.call(.get, "/my/assignments", as: person).list.filter {
            $0["attributes"]?["source"]?.string == "study"
        }
    }

    func waitingKeys(_ person: Person = .nora) -> [String] {
        waiting(person).compactMap { $0["attributes"]?["questionnaire_key"]?.string }
    }

    /// Prompt and completion of every occasion of an export.
    func occasions(_ study: String) throws -> [[String]] {
        let list = try desk.export(study, "json")["occasions"]?.array ?? []
        return list.map { [$0["prompted_at"]?.string ?? "", $0["completed_at"]?.string ?? ""] }
    }

    func counts(_ study: String) -> [JSON?] {
        let row = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        return [row?["prompted"], row?["answered"]]
    }

    // MARK: Answers and prompts

    /// The first prompt of the day can still be answered: it has a number and no row (RP-103).
    static let answered: [[String]] = [["2026-11-21T13:00:00Z", "2026-11-21T13:05:00Z"]]

    /// A study that asks at 10:00 and 14:00 from the 21st on, at 14:05 of that day.
    func atFivePastTwo() throws -> String {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("10:00", "14:00", startDay: 1))
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: "2026-11-21T13:05:00Z")
        return study
    }

    func expectSecondAnswered(_ study: String) throws {
        let left = waiting().compactMap { $0["attributes"]?["available_from"]?.string }
        #expect(left == ["2026-11-21T09:00:00Z", "2026-11-22T09:00:00Z"])
        #expect(try occasions(study) == Self.answered)
        #expect(counts(study) == [.number(1), .number(1)])
        #expect(portal.get("/studies/\(study)/participants", as: .lena).text.contains("1 von 1"))
        let rows = try desk.text(study, "wide").split(separator: "\r\n").map(String.init)
        #expect(rows.count == 2 && rows[1].contains(",2,2026-11-21T13:00:00Z,"))
    }

    @Test func `the prompt that a sheet names is answered in list, export and compliance alike`() throws {
        let study = try atFivePastTwo()
        let second = waiting().first { $0["attributes"]?["available_from"]?.string == "2026-11-21T13:00:00Z" }
        let sent = desk.answer(
            "wellbeing-5", in: study, as: .nora, assignment: second?["id"]?.string ?? "")
        #expect(sent.status == 201, "\(sent.text)")
        try expectSecondAnswered(study)
    }

    @Test func `a sheet that names no prompt answers the last one that had come`() throws {
        let study = try atFivePastTwo()
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        try expectSecondAnswered(study)
        // The next one answers the other one that had come, the one after that was filled in at will.
        try wait(until: "2026-11-21T13:10:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(counts(study) == [.number(2), .number(2)])
        #expect(
            try occasions(study).map { $0[0] }.sorted() == [
                "", "2026-11-21T09:00:00Z", "2026-11-21T13:00:00Z",
            ])
    }

    @Test func `RP-104 an entry of one's own before a prompt answers none that is still to come`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("10:00", "14:00", startDay: 1))
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: "2026-11-21T08:30:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        // A clock that is behind by up to five minutes has not seen it come.
        try wait(until: "2026-11-21T08:54:59Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        try wait(until: "2026-11-21T08:55:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        try wait(until: "2026-11-21T13:05:00Z")
        #expect(
            waiting().compactMap { $0["attributes"]?["available_from"]?.string } == [
                "2026-11-21T13:00:00Z", "2026-11-22T09:00:00Z",
            ])
        #expect(
            try occasions(study).map { $0[0] }.sorted() == ["", "", "2026-11-21T09:00:00Z"])
        #expect(counts(study) == [.number(1), .number(1)])
    }

    @Test func `paper answers its prompt by the same rule, and a changed schedule moves nothing`() throws {
        let study = try atFivePastTwo()
        let codename = try #require(
            try desk.export(study, "json")["participants"]?.array?.first?["participant"]?.string)
        let body = """
            {"questionnaire_key": "wellbeing-5", "completed_at": "2026-11-21T13:05:00Z", "answers": \(StudyDesk.wellbeing)}
            """
        let path = "/studies/\(study)/participants/\(codename)/contributions"
        #expect(portal.call(.post, path, body, as: .lena).status == 204)
        try expectSecondAnswered(study)
        let item = desk.item("wellbeing-5", .nora)
        let changed = portal.change(
            .patch, "/studies/\(study)/questionnaires/\(item)",
            "{" + StudyDesk.daily("09:00", startDay: 9).dropFirst(2) + "}", as: .lena)
        #expect(changed.status == 200)
        #expect(try occasions(study) == Self.answered)
    }

    @Test func `sheets that came in before are decided about once, when the portal starts`() throws {
        let study = try atFivePastTwo()
        let first = waiting().first?["id"]?.string ?? ""
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        try wait(until: "2026-11-21T13:10:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: first).status == 201)
        let before = try occasions(study)
        // As a database of the release before has it: a name where one was sent, and no moment.
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE contributions SET prompted_at = NULL")
            try connection.run("UPDATE contributions SET prompt_id = NULL WHERE prompt_id <> \(first)")
            try connection.run(
                "INSERT INTO undecided_enrolments SELECT DISTINCT enrolment_id FROM contributions WHERE study_id = \(study)"
            )
        }
        #expect(try occasions(study) != before)
        try EarlierContributions.decide(portal.services.records)
        #expect(try occasions(study) == before && before.count == 2)
        #expect(try portal.count("undecided_enrolments") == 0)
    }

    // MARK: What a sheet costs

    @Test func `the 101st sheet of a day is refused with a sentence of its own`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        for _ in 0..<100 { #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201) }
        let refused = desk.answer("wellbeing-5", in: study, as: .nora)
        #expect(refused.status == 409 && refused.text.contains("100-mal"), "\(refused.text)")
        try portal.wait(awake: 1)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
    }

    @Test func `a sheet and the last use of its token are one durable write`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, #", "is_onetime": true"#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let lastUse = {
            try portal.services.records.read { connection in
                try connection.value(
                    "SELECT last_used_at FROM credentials WHERE account_id = \(portal.cast.accounts[.nora]) AND kind = 'token'"
                ) as Instant?
            }
        }
        let version = desk.version("wellbeing-5", .nora)
        let send = { (answers: String) in
            portal.call(
                .put, "/my/contributions/\(UUID().uuidString.lowercased())",
                """
                {"study_id": "\(study)", "questionnaire_id": "\(version)", "started_at": "\(portal.now.text)",
                 "completed_at": "\(portal.now.text)", "timezone": "Europe/Vienna", "answers": \(answers)}
                """, as: .nora
            ).status
        }
        // A patient's token notes its use once a day.
        portal.wait(seconds: 86_400 + 120)
        let before = try lastUse()
        // What writes nothing notes nothing: it would be a write of its own.
        #expect(send(#"{"calm": 99}"#) == 422)
        #expect(try lastUse() == before)
        #expect(send(StudyDesk.wellbeing) == 201)
        #expect(try lastUse() == portal.now)
    }

    @Test(.onSQLite) func `whatever looks at a person on the way to a stored sheet is found by an index`()
        throws
    {
        try portal.services.records.read { connection in
            let plans: [SQL] = [
                """
                EXPLAIN QUERY PLAN SELECT questionnaires.key, (SELECT completed_at FROM contributions
                    WHERE study_id = \("s") AND enrolment_id = \("e") AND questionnaire_id = questionnaires.id
                    ORDER BY completed_at LIMIT 1)
                FROM study_questionnaires JOIN questionnaires ON questionnaires.key = questionnaire_key
                WHERE study_questionnaires.study_id = \("s")
                """,
                """
                EXPLAIN QUERY PLAN SELECT 1 FROM contributions WHERE enrolment_id = \("e")
                AND questionnaire_id = \("q") AND received_at > \(portal.now) LIMIT 1 OFFSET 99
                """,
                """
                EXPLAIN QUERY PLAN SELECT prompt_id FROM contributions
                WHERE account_id = \("a") AND prompt_id IN \(list: ["p", "q"])
                """,
            ]
            let wanted = [
                "contributions USING COVERING INDEX contributions_study (study_id=? AND enrolment_id=? AND questionnaire_id=?)",
                "contributions USING COVERING INDEX contributions_study_received (enrolment_id=? AND questionnaire_id=? AND received_at>?)",
                "contributions USING COVERING INDEX contributions_prompt (account_id=? AND prompt_id=?)",
            ]
            for (plan, index) in zip(plans, wanted) {
                let lines: [String] = try connection.all(plan) { row in try row[3] }
                #expect(lines.contains { $0.contains(index) }, "\(lines)")
            }
        }
    }

    // MARK: Baselines

    @Test func `ST defect 4 a required baseline whose time lies ahead hides and refuses nothing`() throws {
        let study = desk.begin()
        _ = desk.add(
            "wellbeing-5", to: study,
            #", "is_onetime": true, "baseline": "required""# + StudyDesk.daily("12:00", startDay: 7))
        _ = desk.add("intersession-daily", to: study, StudyDesk.daily("11:00"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(Set(waitingKeys()) == ["wellbeing-5", "intersession-daily"])
        let thought = #"{"thought": 0}"#
        #expect(desk.answer("intersession-daily", in: study, as: .nora, thought).status == 201)
        // Once it has come, it is alone.
        try portal.wait(awake: 7)
        try wait(until: "2026-11-27T11:00:00Z")
        #expect(Set(waitingKeys()) == ["wellbeing-5"])
        let refused = desk.answer("intersession-daily", in: study, as: .nora, thought)
        #expect(refused.status == 409 && refused.text.contains("Ausgangserhebung"))
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(desk.answer("intersession-daily", in: study, as: .nora, thought).status == 201)
    }

    @Test func `ST defect 7 while a baseline is open it is announced, and nothing else is planned or missed`()
        throws
    {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, #", "is_onetime": true, "baseline": "required""#)
        _ = desk.add("intersession-daily", to: study, StudyDesk.daily("20:00"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let told = {
            portal.call(.get, "/my/notifications", as: .nora).list.compactMap {
                $0["attributes"]?["subject_id"]?.string
            }
        }
        let baseline = desk.item("wellbeing-5", .nora)
        let daily = desk.item("intersession-daily", .nora)
        #expect(told() == [baseline])
        try portal.wait(awake: 3)
        #expect(counts(study) == [.number(0), .number(0)])
        #expect(try desk.export(study, "json")["manifest"]?["missed_prompts"] == .number(0))
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(told() == Array(repeating: daily, count: 14))
        try portal.wait(awake: 2)
        // The evenings since the baseline was answered.
        #expect(counts(study) == [.number(2), .number(0)])
        #expect(try desk.export(study, "json")["manifest"]?["missed_prompts"] == .number(2))
    }

    @Test func `ST defect 8 a baseline battery has one order for everybody, on every page of the list`()
        throws
    {
        let study = desk.begin()
        let keys = ["intersession-daily", "wellbeing-5", "between-sessions"]
        for key in keys { _ = desk.add(key, to: study, #", "is_onetime": true, "baseline": "required""#) }
        for person in [Person.nora, .quinn] {
            #expect(desk.enrol(person, in: study).status == 201)
            #expect(waitingKeys(person) == keys)
            var found: [String] = []
            var path: String? = "/my/assignments?limit=1"
            while let next = path, found.count < 9 {
                let page = portal.call(.get, next, as: person)
                // A daily of the therapy may open at this very moment.
                let asked = page.list.compactMap { $0["attributes"] }.filter {
                    $0["source"]?.string != "daily"
                }
                found += asked.compactMap { $0["questionnaire_key"]?.string }
                path = page.json["meta"]?["next"]?.string.map { $0.replacing("/api/v1", with: "") }
            }
            #expect(found == keys)
        }
    }

    @Test func `a questionnaire that is added after another was taken out comes last`() throws {
        let study = desk.begin()
        let first = desk.add("wellbeing-5", to: study)
        _ = desk.add("intersession-daily", to: study)
        #expect(portal.call(.delete, "/studies/\(study)/questionnaires/\(first)", as: .lena).status == 204)
        _ = desk.add("between-sessions", to: study)
        let items = try portal.services.records.read { try StudyItemStore.all(in: ID(study), $0) }
        #expect(items.map(\.key) == ["intersession-daily", "between-sessions"])
    }

    // MARK: Zones

    @Test func `ST defect 6 prompts follow the present zone from the second local day after the change on`()
        throws
    {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("20:00"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let told = {
            portal.call(.get, "/my/notifications", as: .nora).list.prefix(4).compactMap {
                $0["attributes"]?["fires_at"]?.string
            }
        }
        #expect(
            told() == [
                "2026-11-20T19:00:00Z", "2026-11-21T19:00:00Z", "2026-11-22T19:00:00Z",
                "2026-11-23T19:00:00Z",
            ])
        #expect(
            portal.call(.patch, "/my/profile", #"{"timezone": "America/New_York"}"#, as: .nora).status == 200)
        let after = [
            "2026-11-20T19:00:00Z", "2026-11-21T19:00:00Z", "2026-11-23T01:00:00Z", "2026-11-24T01:00:00Z",
        ]
        #expect(told() == after)
        // The same zone again is no change.
        portal.wait(seconds: 3600)
        #expect(
            portal.call(.patch, "/my/profile", #"{"timezone": "America/New_York"}"#, as: .nora).status == 200)
        #expect(told() == after)
        // In the evening in New York it is the day of the prompt still.
        try wait(until: "2026-11-23T01:30:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(
            try occasions(study).map { $0[0] } == [
                "2026-11-20T19:00:00Z", "2026-11-21T19:00:00Z", "2026-11-23T01:00:00Z",
            ])
        let days = portal.get("/studies/\(study)/compliance?until=2026-11-22", as: .lena).text
        #expect(days.contains("1 von 3") && days.contains("1/1"))
    }

    @Test func `zones change on the second day, back and forth, and days never overlap`() throws {
        let vienna = Zone("Europe/Vienna")
        let tokyo = Zone("Asia/Tokyo")
        let day = try #require(LocalDate("2026-11-20"))
        let noon = vienna.instant(day, hour: 12, minute: 0)
        let moved = ParticipantZones(vienna, changes: [(noon, tokyo)])
        #expect(moved.zone(on: day.adding(days: 1)).identifier == "Europe/Vienna")
        #expect(moved.zone(on: day.adding(days: 2)).identifier == "Asia/Tokyo")
        let back = ParticipantZones(vienna, changes: [(noon, tokyo), (noon.adding(seconds: 60), vienna)])
        #expect(back.zone(on: day.adding(days: 2)).identifier == "Europe/Vienna")
        for hours in 0..<120 as Range<Int64> {
            let moment = noon.adding(seconds: hours * 3600)
            let found = moved.day(of: moment)
            #expect(moved.begin(of: found) <= moment && moment < moved.begin(of: found.adding(days: 1)))
        }
    }
}
