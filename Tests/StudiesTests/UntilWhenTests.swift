import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// RP-103: until when something can be answered is said and taken alike.
@Suite struct UntilWhenTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    private func wait(until moment: Instant) throws {
        portal.wait(seconds: moment.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    private func told() -> JSON? {
        portal.call(.get, "/my/assignments", as: .nora).list.first {
            $0["attributes"]?["source"]?.string == "study"
                && Instant($0["attributes"]?["available_from"]?.string ?? "") ?? .distantFuture <= portal.now
        }
    }

    private func due(_ asked: JSON?) throws -> Instant {
        try #require(Instant(asked?["attributes"]?["due_at"]?.string ?? ""))
    }

    /// A sheet that arrives now.
    private func send(_ asked: JSON?, completed: Instant) -> Response {
        portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"assignment_id": "\(asked?["id"]?.string ?? "")", "started_at": "\(completed.text)",
             "completed_at": "\(completed.text)", "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
    }

    private func change(_ study: String, _ body: String) {
        let changed = portal.change(.patch, "/studies/\(study)", body, as: .lena)
        #expect(changed.status == 200, "\(changed.text)")
    }

    @Test func `RP-103 what is said ends with the study, and what a device held longer is taken`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("20:00", startDay: 0))
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: #require(Instant("2026-11-20T19:01:00Z")))
        let held = told()
        #expect(try due(held) == Instant("2026-11-20T22:59:59Z"))
        change(study, #"{"ends_at": "2026-11-20T20:00:00Z"}"#)
        #expect(try due(told()) == Instant("2026-11-20T20:00:00Z"))
        try wait(until: #require(Instant("2026-11-20T20:30:00Z")))
        #expect(told() == nil)
        let sent = send(held, completed: try #require(Instant("2026-11-20T20:20:00Z")))
        #expect(sent.status == 201, "\(sent.text)")
    }

    @Test func `ST-2 what closes before its day is said, taken and counted so`() throws {
        let study = desk.begin()
        let expiring = StudyDesk.daily("20:00", startDay: 0).replacing(
            #""unit""#, with: #""expires_after_minutes": 60, "until": {"days": 2}, "unit""#)
        _ = desk.add("wellbeing-5", to: study, expiring)
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: #require(Instant("2026-11-20T19:01:00Z")))
        let held = told()
        #expect(try due(held) == Instant("2026-11-20T20:00:00Z"))
        let states = {
            try desk.text(study, "csv").split(separator: "\r\n")
                .dropFirst()
                .count { $0.contains(",missed,") }
        }
        #expect(try states() == 0)
        try wait(until: #require(Instant("2026-11-20T20:30:00Z")))
        #expect(try told() == nil && states() == 1)
        let late = send(held, completed: try #require(Instant("2026-11-20T20:20:00Z")))
        #expect(late.status == 422 && late.text.contains("too_late"), "\(late.text)")
        let sent = send(held, completed: try #require(Instant("2026-11-20T19:50:00Z")))
        #expect(try sent.status == 201 && states() == 0, "\(sent.text)")
        // The second day is the last one.
        try wait(until: #require(Instant("2026-11-21T19:30:00Z")))
        #expect(told() != nil)
        try wait(until: #require(Instant("2026-11-22T19:30:00Z")))
        #expect(try told() == nil && states() == 1)
        let item = portal.call(.get, "/my/questionnaires", as: .nora).list.first?["attributes"]
        let schedule = item?["schedules"]?.array?.first
        #expect(schedule?["until"]?["days"]?.number == 2 && schedule?["expires_after_minutes"]?.number == 60)
    }

    private func held(_ study: String) -> [JSON] {
        portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list
    }

    @Test(arguments: [true, false])
    func `ST-2 what was completed in time and comes after the grace lies with the leads`(
        _ namesPrompt: Bool
    ) throws {
        let study = desk.begin()
        let graced = StudyDesk.daily("10:00", "20:00", startDay: 0).replacing(
            #""unit""#, with: #""expires_after_minutes": 60, "late_grace_minutes": 30, "unit""#)
        _ = desk.add("wellbeing-5", to: study, graced)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let item = desk.item("wellbeing-5", .nora)
        let version = portal.call(.get, "/my/questionnaires", as: .nora).list.first?["attributes"]?[
            "questionnaire_id"]?.string
        let named = { (asked: JSON?) in
            namesPrompt
                ? #""assignment_id": "\#(asked?["id"]?.string ?? "")""#
                : #""study_id": "\#(study)", "questionnaire_id": "\#(version ?? "")", "item_id": "\#(item)""#
        }
        let send = { (asked: JSON?, completed: String) in
            portal.call(
                .put, "/my/contributions/\(UUID().uuidString.lowercased())",
                """
                {\(named(asked)), "started_at": "\(completed)", "completed_at": "\(completed)",
                 "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
                """, as: .nora)
        }
        try wait(until: #require(Instant("2026-11-21T09:01:00Z")))
        let morning = told()
        // The last second of the grace.
        try wait(until: #require(Instant("2026-11-21T10:30:00Z")))
        let sent = send(morning, "2026-11-21T10:00:00Z")
        #expect(sent.status == 201 && held(study).isEmpty, "\(sent.text)")
        try wait(until: #require(Instant("2026-11-21T19:01:00Z")))
        let evening = told()
        try wait(until: #require(Instant("2026-11-21T20:30:01Z")))
        let late = send(evening, "2026-11-21T19:50:00Z")
        #expect(late.status == 422 && late.json["code"]?.string == "too_late", "\(late.text)")
        let waiting = try #require(held(study).first)
        #expect(waiting["attributes"]?["reason"]?.string == "ended" && held(study).count == 1)
        let page = portal.get("/studies/\(study)/quarantine", as: .lena).text
        #expect(page.contains("rechtzeitig ausgefüllt, nach der Frist eingetroffen"), "\(page)")
        // Admitted, it answers its prompt, with its own time.
        let id = waiting["id"]?.string ?? ""
        let admitted = portal.call(.post, "/studies/\(study)/quarantine/\(id)/admission", as: .lena)
        #expect(admitted.status == 204, "\(admitted.text)")
        let rows = try desk.text(study, "csv").split(separator: "\r\n")
        #expect(rows.contains { $0.contains("2026-11-21T19:00:00") && $0.contains("2026-11-21T19:50:00") })
    }

    @Test func `ST-2 a month of prompts that comes late is kept, and an answer to an answered one is none`()
        throws
    {
        let study = desk.begin()
        let times = (8..<18).map { "\($0 < 10 ? "0" : "")\($0):00" }
        let graced = times.map { time in
            #"{"type": "fixed", "at": "\#(time)", "amount": 1, "every": 1, "unit": "day", "start_day": 0, "late_grace_minutes": 30, "expires_after_minutes": 60}"#
        }.joined(separator: ", ")
        _ = desk.add("wellbeing-5", to: study, ", \"schedules\": [\(graced)]")
        #expect(desk.enrol(.nora, in: study).status == 201)
        let version = desk.version("wellbeing-5", .nora)
        let send = { (at: Instant, answers: String) in
            portal.call(
                .put, "/my/contributions/\(UUID().uuidString.lowercased())",
                """
                {"study_id": "\(study)", "questionnaire_id": "\(version)", "started_at": "\(at.text)",
                 "completed_at": "\(at.text)", "timezone": "Europe/Vienna", "answers": \(answers)}
                """, as: .nora)
        }
        let first = try #require(Instant("2026-11-21T07:05:00Z"))
        try wait(until: first)
        #expect(send(first, StudyDesk.wellbeing).status == 201)
        try wait(until: #require(Instant("2026-11-28T12:00:00Z")))
        let before = try portal.count("quarantined_sheets")
        // More than a broken device may leave.
        for number in 1..<56 {
            let day = first.adding(days: Int64(number / 10))
            #expect(send(day.adding(seconds: Int64(number % 10) * 3600), StudyDesk.wellbeing).status == 422)
        }
        let waiting = try portal.count("quarantined_sheets")
        #expect(waiting - before == 55)
        // However late: another sheet beside what is answered is one of their own choice, and the leads are not asked.
        let second = send(first.adding(seconds: 120), StudyDesk.wellbeing)
        #expect(second.status == 201, "\(second.text)")
        #expect(try portal.count("quarantined_sheets") == waiting)
    }

    @Test(arguments: [nil, 0] as [Int?])
    func `ST-2 without a grace it is taken whenever it comes, and a month is not too long to wait`(
        _ grace: Int?
    ) throws {
        let study = desk.begin()
        let field = grace.map { #""late_grace_minutes": \#($0), "# } ?? ""
        let plan = StudyDesk.daily("20:00", startDay: 0).replacing(#""unit""#, with: field + #""unit""#)
        _ = desk.add("wellbeing-5", to: study, plan)
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: #require(Instant("2026-11-20T19:01:00Z")))
        let asked = told()
        try wait(until: #require(Instant("2026-12-25T12:00:00Z")))
        let sent = send(asked, completed: try #require(Instant("2026-11-20T19:05:00Z")))
        #expect(sent.status == (grace == nil ? 201 : 422), "\(sent.text)")
        #expect(held(study).count == (grace == nil ? 0 : 1))
    }

    @Test(arguments: [#"{"running": false}"#, nil] as [String?])
    func `RP-103 a prompt that had come before it was stopped can be answered as long as was said`(
        _ stop: String?
    )
        throws
    {
        let study = desk.begin()
        let item = desk.add("wellbeing-5", to: study, StudyDesk.daily("10:30", "20:00", startDay: 0))
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: #require(Instant("2026-11-20T09:31:00Z")))
        let held = told()
        let all = portal.call(.get, "/my/assignments", as: .nora).list
        let later = all.first { $0["attributes"]?["available_from"]?.string == "2026-11-20T19:00:00Z" }
        #expect(held != nil && later != nil)
        try wait(until: #require(Instant("2026-11-20T12:00:00Z")))
        if let stop {
            change(study, stop)
        } else {
            let path = "/studies/\(study)/questionnaires/\(desk.item("wellbeing-5", .nora))"
            #expect(portal.change(.patch, path, #"{"is_active": false}"#, as: .lena).status == 200, "\(item)")
        }
        try wait(until: #require(Instant("2026-11-20T19:30:00Z")))
        // What was never asked is not answered.
        let never = send(later, completed: portal.now)
        #expect([403, 404, 409].contains(never.status), "\(never.status) \(never.text)")
        let late = send(held, completed: portal.now.adding(days: 1))
        #expect(late.status == 422)
        let sent = send(held, completed: portal.now)
        #expect(sent.status == 201, "\(sent.text)")
    }
}
