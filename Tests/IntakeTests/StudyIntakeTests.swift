import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// One door: what every answer of a study goes through, and what a door leaves out by name.
@Suite struct StudyIntakeTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    /// Nora's codename in a study.
    func enrol(in study: String) -> String {
        desk.enrol(.nora, in: study).attributes["codename"]?.string ?? ""
    }

    func paper(of codename: String, in study: String, at completed: Instant) -> Int {
        portal.call(
            .post, "/studies/\(study)/participants/\(codename)/contributions",
            """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(completed.text)",
             "answers": \(StudyDesk.wellbeing)}
            """, as: .lena
        ).status
    }

    /// - Parameter version: as the device names it; an unknown one is kept.
    func send(_ version: String, in study: String, at completed: Instant) -> Int {
        portal.call(
            .put, "/my/contributions/\(portal.services.chance.uuid())",
            """
            {"study_id": "\(study)", "questionnaire_id": "\(version)", "started_at": "\(completed.text)",
             "completed_at": "\(completed.text)", "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora
        ).status
    }

    func held(in study: String) throws -> JSON {
        try #require(portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list.first)
    }

    func admit(_ held: JSON, in study: String) -> Response {
        portal.call(
            .post, "/studies/\(study)/quarantine/\(held["id"]?.string ?? "")/admission", as: .lena)
    }

    func keepDraft(_ version: String) -> Int {
        portal.call(.put, "/my/drafts/\(version)", #"{"answers": {"calm": 3}}"#, as: .nora).status
    }

    func activity(in study: String) throws -> Instant? {
        let nora = portal.cast.accounts[.nora] ?? ""
        return try portal.services.records.read {
            try EnrolmentStore.find(in: ID(study), of: nora, $0)?.lastActivityAt
        }
    }

    // MARK: Paper

    @Test func `paper of a study erases the draft and counts as activity`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let codename = enrol(in: study)
        #expect(keepDraft(desk.version("wellbeing-5", .nora)) == 201)
        portal.wait(seconds: 60)
        #expect(paper(of: codename, in: study, at: portal.now) == 204)
        #expect(try portal.count("answer_drafts") == 0)
        #expect(try activity(in: study) == portal.now)
    }

    @Test func `papers come in whatever order, and however many`() throws {
        let study = desk.begin()
        try portal.publish("intersession-daily")
        _ = desk.add("intersession-daily", to: study, #", "is_onetime": true, "baseline": "required""#)
        _ = desk.add("wellbeing-5", to: study)
        let codename = enrol(in: study)
        let version = desk.version("wellbeing-5", .nora)
        portal.wait(seconds: 600)
        #expect(send(version, in: study, at: portal.now) == 409)
        let statuses = (0...100).map {
            paper(of: codename, in: study, at: portal.now.adding(seconds: -Int64($0)))
        }
        #expect(statuses.allSatisfy { $0 == 204 })
    }

    @Test func `paper of what is asked once is entered once`() {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, #", "is_onetime": true"#)
        let codename = enrol(in: study)
        portal.wait(seconds: 60)
        #expect(paper(of: codename, in: study, at: portal.now) == 204)
        #expect(paper(of: codename, in: study, at: portal.now.adding(seconds: -30)) == 409)
    }

    // MARK: Quarantine

    @Test func `what is let in erases the draft it came from, and counts as activity of when it came`() throws
    {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        _ = enrol(in: study)
        let version = desk.version("wellbeing-5", .nora)
        #expect(keepDraft(version) == 201)
        portal.wait(seconds: 60)
        let came = portal.now
        #expect(send(version, in: study, at: came.adding(days: 3)) == 422)
        portal.wait(seconds: 600)
        #expect(admit(try held(in: study), in: study).status == 204)
        #expect(try portal.count("answer_drafts") == 0)
        #expect(try activity(in: study) == came)
    }

    @Test func `what was filled in after leaving is not let in, and says so before anybody tries`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        _ = enrol(in: study)
        let version = desk.version("wellbeing-5", .nora)
        portal.wait(seconds: 60)
        let left = portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .nora)
        #expect((200..<300).contains(left.status), "\(left.text)")
        portal.wait(seconds: 60)
        #expect(send(version, in: study, at: portal.now.adding(days: 3)) == 422)
        try expectRefused(study)
    }

    @Test func `what a study did not ask for any more is not let in`() throws {
        let study = desk.begin()
        let item = desk.add("wellbeing-5", to: study)
        _ = enrol(in: study)
        let version = desk.version("wellbeing-5", .nora)
        portal.wait(seconds: 60)
        #expect(deactivate(item, in: study) == 200)
        portal.wait(seconds: 60)
        #expect(send(version, in: study, at: portal.now.adding(days: 3)) == 422)
        try expectRefused(study)
    }

    @Test func `what came while a study did not run is not let in`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        _ = enrol(in: study)
        let version = desk.version("wellbeing-5", .nora)
        portal.wait(seconds: 60)
        #expect(portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena).status == 200)
        portal.wait(seconds: 60)
        #expect(send(version, in: study, at: portal.now.adding(days: 3)) == 422)
        try expectRefused(study)
    }

    @Test func `what was filled in before enrolling is not let in`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        portal.wait(seconds: 1200)
        _ = enrol(in: study)
        let unknown = portal.services.chance.uuid()
        #expect(send(unknown, in: study, at: portal.now.adding(seconds: -600)) == 422)
        try expectRefused(study)
    }

    @Test func `what is taken out of a study while a lead decides is not let in`() throws {
        let study = desk.begin()
        let item = desk.add("wellbeing-5", to: study)
        _ = enrol(in: study)
        let version = desk.version("wellbeing-5", .nora)
        portal.wait(seconds: 60)
        #expect(send(version, in: study, at: portal.now.adding(days: 3)) == 422)
        let waiting = try held(in: study)
        // A lead's older change arrives late and sets the begin back to before the end.
        let earlier = portal.now.adding(seconds: -30)
        let between = portal.interleaving(
            { [portal] in
                #expect(throws: Never.self) {
                    try portal.services.records.writeUnaudited(.madeUp) {
                        try $0.run(
                            "UPDATE study_questionnaires SET deactivated_at = \(earlier) WHERE id = \(item)")
                    }
                }
            },
            { admit(waiting, in: study) })
        #expect(between.hasComeToWrite && between.response.status == 409)
        #expect(try portal.count("contributions") == 1)
        #expect(portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list.count == 1)
    }

    @Test func `of somebody who asked for everything to be removed no refused sheet is kept`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        _ = enrol(in: study)
        let version = desk.version("wellbeing-5", .nora)
        portal.wait(seconds: 60)
        #expect(send(version, in: study, at: portal.now.adding(days: 3)) == 422)
        let before = try portal.count("quarantined_sheets")
        let left = portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora)
        #expect((200..<300).contains(left.status), "\(left.text)")
        portal.wait(seconds: 60)
        #expect(send(version, in: study, at: portal.now.adding(days: 3)) == 422)
        #expect(try portal.count("quarantined_sheets") == before - 1)
    }

    private func deactivate(_ item: String, in study: String) -> Int {
        portal.change(
            .patch, "/studies/\(study)/questionnaires/\(item)", #"{"is_active": false}"#, as: .lena
        ).status
    }

    /// It is listed as not admissible, admitting it answers 409, and nothing is stored but the sheet of the cast.
    private func expectRefused(_ study: String) throws {
        let waiting = try held(in: study)
        #expect(waiting["attributes"]?["admissible"] == .bool(false))
        #expect(admit(waiting, in: study).status == 409)
        #expect(try portal.count("contributions") == 1)
    }
}
