import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// TYS-2: leaving a study with everything that was answered.
@Suite struct ErasedStudyTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    private func rows() throws -> [Int] {
        try ["study_anchors", "notification_plans", "study_reminders"].map(portal.count)
    }

    /// Nora takes part, a lead enters her date, she chooses times of her own, and a device is told of a prompt.
    private func takePart(in study: String, _ item: String) throws {
        let enrolled = desk.enrol(.nora, in: study)
        let path =
            "/studies/\(study)/participants/\(enrolled.attributes["codename"]?.string ?? "")/anchors/op"
        #expect(portal.change(.put, path, #"{"date": "2026-11-20"}"#, as: .lena).status == 200)
        let times = #"{"option": "custom", "times": [{"at": "10:15"}]}"#
        #expect(
            portal.call(.put, "/my/questionnaires/\(item)/notification-plan", times, as: .nora).status == 200)
        let account = portal.cast.accounts[.nora]?.text ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            let enrolment: ID<Enrolment>? = try connection.value(
                "SELECT id FROM enrolments WHERE account_id = \(account) AND state = 'enrolled'")
            try StudyReminderStore.plan(ID("prompt"), at: now, of: try #require(enrolment), connection)
        }
    }

    private func leave(_ study: String, _ choice: String) {
        portal.wait(seconds: 60)
        let way = "/studies/\(study)/enrolment?data=\(choice)"
        #expect(portal.call(.delete, way, as: .nora).status == 204)
        portal.wait(seconds: 60)
    }

    @Test func `TYS-2 when it was to be answered goes with what was answered`() throws {
        let study = desk.begin(
            #"{"time_points": [{"key": "op", "title": {"de": "Operation"}, "anchor": "lead", "after": 2}]}"#)
        let item = desk.add(
            "wellbeing-5", to: study,
            #", "time_point": "op", "is_schedule_changeable": true"# + StudyDesk.daily("20:00", startDay: 0))
        try takePart(in: study, item)
        leave(study, "keep")
        #expect(try rows() == [1, 1, 1])
        try takePart(in: study, item)
        #expect(try rows() == [2, 2, 2])
        // What was kept the first time goes as well.
        leave(study, "remove")
        #expect(try rows() == [0, 0, 0])
    }
}
