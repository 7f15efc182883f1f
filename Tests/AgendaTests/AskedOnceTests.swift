import Database
import Foundation
import HTTP
import JSON
import Records
import Studies
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// What a study asks once is over with its answer, wherever it is asked, announced and counted.
@Suite struct AskedOnceTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    private var asked: [String] {
        portal.call(.get, "/my/assignments", as: .nora).list.compactMap { $0["id"]?.string }
    }

    private func begin(_ more: String) -> String {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, more)
        #expect(desk.enrol(.nora, in: study).status == 201)
        return study
    }

    private func send(_ prompt: String, completed at: String, id: String = UUID().uuidString.lowercased())
        -> Response
    {
        portal.call(
            .put, "/my/contributions/\(id)",
            """
            {"assignment_id": "\(prompt)", "started_at": "\(at)", "completed_at": "\(at)",
             "timezone": "Europe/Vienna", "answers": {"enjoyed": 1, "calm": 1, "energy": 1, "slept": 1, "company": 1}}
            """, as: .nora)
    }

    /// Nothing of it is left to be asked, on any surface.
    private func expectNothing(of prompts: [String], _ place: SourceLocation = #_sourceLocation) throws {
        // The browser stays signed in, whatever was waited for.
        try portal.wait(awake: 0)
        #expect(asked == [], sourceLocation: place)
        #expect(portal.call(.get, "/my/notifications", as: .nora).list == [], sourceLocation: place)
        let overview = portal.call(.get, "/my/overview", as: .nora).attributes
        #expect(overview["open_questionnaires"] == .number(0), sourceLocation: place)
        let today = portal.get("/my", as: .nora).text
        let plan = portal.get("/my/offline/plan", as: .nora, ["Accept": "application/json"]).text
        let choice = portal.get("/my/questionnaires", as: .nora).text
        for id in prompts {
            #expect(!today.contains(id) && !plan.contains(id) && !choice.contains(id), sourceLocation: place)
            let page = portal.get("/my/assignments/\(id)", as: .nora)
            #expect(page.text.contains("schon gesendet"), "\(page.status)", sourceLocation: place)
            #expect(!page.text.contains(#"name="part""#), sourceLocation: place)
            #expect(
                portal.call(.get, "/my/assignments/\(id)", as: .nora).status == 404, sourceLocation: place)
        }
    }

    /// Prompts that count, and how many of them were answered.
    private func counts(_ study: String) -> [JSON?] {
        let row = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        return [row?["prompted"], row?["answered"]]
    }

    private func missed(_ study: String) throws -> JSON? {
        try desk.export(study, "json")["manifest"]?["missed_prompts"]
    }

    private static let twice = #", "is_onetime": true"# + StudyDesk.daily("12:00", "18:00")
    private static let monthly =
        #", "is_onetime": true, "baseline": "required", "schedules": [{"type": "fixed", "at": "18:00", "amount": 1, "every": 1, "unit": "month", "start_day": 0}]"#

    @Test func `LF-1 answered at its first moment, its second is done, and neither offered nor missed`()
        throws
    {
        let study = begin(Self.twice)
        portal.wait(seconds: 3 * 3600)
        let ids = asked
        #expect(ids.count == 2)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: ids[0]).status == 201)
        for _ in 0..<2 {
            try expectNothing(of: ids)
            portal.wait(seconds: 6 * 3600)
        }
        try portal.wait(awake: 2)
        #expect(counts(study) == [.number(1), .number(1)])
        #expect(try missed(study) == .number(0))
    }

    @Test func `LF-1 what was asked before the answer stays missed, and nothing after it is`() throws {
        let study = begin(Self.twice)
        portal.wait(seconds: 9 * 3600)
        let ids = asked
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: ids[1]).status == 201)
        try expectNothing(of: ids)
        try portal.wait(awake: 3)
        #expect(counts(study) == [.number(2), .number(1)])
        #expect(try missed(study) == .number(1))
    }

    @Test func `LF-1 a second sheet for another of its moments contradicts, and is kept for the leads`()
        throws
    {
        let study = begin(Self.twice)
        portal.wait(seconds: 9 * 3600)
        let ids = asked
        let evening = portal.now.text
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: ids[0]).status == 201)
        try portal.wait(awake: 2)
        let second = send(ids[1], completed: evening)
        #expect(second.status == 409 && second.json["code"] == .string("already_answered"), "\(second.text)")
        #expect(portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list.count == 1)
    }

    @Test func `LF-1 a required baseline that comes late ends those of its moments that came since`() throws {
        let study = begin(Self.monthly)
        portal.wait(seconds: 10 * 3600)
        let first = try #require(asked.first)
        let completed = portal.now.text
        try portal.wait(awake: 40)
        let later = try #require(asked.first)
        #expect(later != first)
        #expect(send(first, completed: completed).status == 201)
        try expectNothing(of: [first, later])
        let second = send(later, completed: portal.now.text)
        #expect(second.status == 409, "\(second.text)")
        try portal.wait(awake: 40)
        try expectNothing(of: [first])
        #expect(counts(study) == [.number(1), .number(1)])
        #expect(try missed(study) == .number(0))
    }

    @Test func `LF-1 the reminder of a later moment is not counted as one that was due`() throws {
        let study = begin(Self.twice)
        portal.wait(seconds: 3 * 3600)
        let ids = asked
        let account = portal.cast.accounts[.nora]?.text ?? ""
        let enrolment: ID<Enrolment> = try portal.services.records.writeUnaudited(.madeUp) {
            [evening = portal.now.adding(seconds: 5 * 3600), noon = portal.now] connection in
            let id: String? = try connection.value(
                "SELECT id FROM enrolments WHERE account_id = \(account) AND study_id = \(study)")
            let enrolment = ID<Enrolment>(id ?? "")
            try StudyReminderStore.plan(ID(ids[0]), at: noon, of: enrolment, connection)
            try StudyReminderStore.plan(ID(ids[1]), at: evening, of: enrolment, connection)
            return enrolment
        }
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: ids[0]).status == 201)
        try portal.wait(awake: 1)
        let due = try portal.services.records.read { [now = portal.now] in
            try StudyReminderStore.counts(of: enrolment, at: now, $0).due
        }
        #expect(due == 1)
    }
}
