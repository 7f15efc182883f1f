import Database
import JSON
import Testing
import Wire
import Wording

@testable import Contributions
@testable import Delivery
@testable import Identity
@testable import Instruments
@testable import Intake
@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// The table at the head of `TherapyRule`, a case for each of its cells.
@Suite struct TherapyRuleTests {
    private let portal: TestPortal
    private var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws { portal = try TestPortal() }

    enum Door: Sendable { case device, paper, quarantine }

    /// What has come between, as statements; the days are counted from now.
    enum Before: Sendable {
        case nothing, unpaired
        case ended(Int64)
        case withdrawn(Int64)
        case answered
    }

    /// What is asked of the sheet.
    enum Asked: Sendable { case assignment, daily, nothing }

    private func prepare(_ before: Before) throws {
        let now = portal.now
        try portal.services.records.writeUnaudited(.madeUp) { [pia, cast = portal.cast] connection in
            switch before {
            case .nothing: break
            case .unpaired:
                try connection.run(
                    "UPDATE therapies SET account_id = NULL, paired_at = NULL WHERE id = \(pia)")
            case .ended(let days):
                try connection.run(
                    "UPDATE therapies SET ended_at = \(now.adding(days: days)), ended_on = '2026-11-20' WHERE id = \(pia)"
                )
            case .withdrawn(let days):
                try connection.run(
                    "UPDATE assignments SET withdrawn_at = \(now.adding(days: days)) WHERE id = \(cast.assignment)"
                )
            case .answered:
                try connection.run(
                    "UPDATE contributions SET assignment_id = \(cast.assignment) WHERE id = \(cast.contribution)"
                )
            }
        }
    }

    /// 200 where the rule takes the sheet, else the status it is refused with; and which assignment the sheet answers.
    private func status(
        _ door: Door, _ asked: Asked, completed: Instant
    ) throws -> (status: Int, assignment: ID<Assignment>?) {
        let services = portal.services
        let account = portal.cast.accounts[.pia] ?? ""
        return try services.records.read { [pia, cast = portal.cast, now = portal.now] connection in
            let therapy = try #require(try TherapyStore.find(pia, connection))
            let questionnaire = try #require(
                try QuestionnaireStore.find(ID(cast.questionnaire), services.questionnaires, connection))
            let assignment = try #require(
                try AssignmentStore.find(ID(cast.assignment), inTherapy: pia, connection))
            let target =
                switch asked {
                case .assignment: TherapyTarget(assignment, therapy, questionnaire)
                case .daily:
                    try TherapyTarget(
                        daily: now.adding(seconds: -3600), now.adding(seconds: 3600),
                        timezone: "Europe/Vienna", therapy,
                        questionnaire)
                case .nothing: TherapyTarget(paper: questionnaire, therapy)
                }
            let occasion: Occasion =
                switch asked {
                case .assignment: .assignment(assignment, target)
                case .daily: .ownDaily(target)
                case .nothing: .unasked(.therapy(target))
                }
            let submission = Submission(
                reason: .paper, startedAt: completed, completedAt: completed, timezone: "Europe/Vienna",
                answers: nil)
            var sheet = try NewContribution(
                submission, id: "s", account: account, target: target, answers: [:], receivedAt: now)
            let person = try #require(try AccountStore.find(account, connection))
            let device: ID<Credential>? = try connection.value("SELECT id FROM credentials LIMIT 1")
            let arrival: Arrival
            switch door {
            case .device:
                arrival = .device(
                    Quarantine(id: "s", json: .null, account: person), credential: device, known: nil)
            case .paper: arrival = .paper(by: "ada")
            case .quarantine:
                let kept = try QuarantineStore.find(ID(cast.quarantined), at: .therapy(pia), connection)
                arrival = .quarantine(try #require(kept), by: "ada")
            }
            do {
                let rule = try TherapyRule(target, of: account, from: arrival, now: now, connection)
                _ = try rule.prove(occasion, &sheet, connection)
                return (200, sheet.assignment)
            } catch let problem as Problem { return (problem.status, nil) } catch let ended as AfterEnd {
                return (ended.problem.status, nil)
            } catch is WrongClock {
                return (422, nil)
            }
        }
    }

    @Test(
        arguments: [
            // The pairing stands.
            (.device, .unpaired, .assignment, 0, 403), (.paper, .unpaired, .nothing, 0, 403),
            (.quarantine, .unpaired, .assignment, 0, 403), (.device, .nothing, .assignment, 0, 200),
            (.paper, .nothing, .nothing, 0, 200), (.quarantine, .nothing, .assignment, 0, 200),
            // The therapy runs, or ended at most 30 days ago, after the sheet was completed.
            (.device, .ended(1), .assignment, 0, 200), (.device, .ended(-1), .assignment, 0, 403),
            (.device, .ended(-31), .assignment, -32, 403), (.paper, .ended(-1), .nothing, -2, 409),
            (.quarantine, .ended(-1), .assignment, 0, 200),
            // The window, and not taken back.
            (.device, .nothing, .assignment, -300, 422), (.device, .nothing, .assignment, 300, 422),
            (.device, .withdrawn(-1), .assignment, 0, 409), (.device, .withdrawn(1), .assignment, 0, 200),
            (.paper, .nothing, .nothing, -300, 200), (.paper, .nothing, .nothing, -400, 422),
            (.quarantine, .nothing, .assignment, -300, 200),
            (.quarantine, .withdrawn(-1), .assignment, 0, 200),
            // Dailies of its own.
            (.device, .nothing, .daily, 0, 200), (.quarantine, .nothing, .daily, 300, 200),
        ] as [(Door, Before, Asked, Int64, Int)])
    func `what is asked of a sheet depends on how it comes in`(
        _ door: Door, _ before: Before, _ asked: Asked, _ completed: Int64, _ expected: Int
    ) throws {
        try prepare(before)
        #expect(try status(door, asked, completed: portal.now.adding(days: completed)).status == expected)
    }

    @Test(arguments: [Door.paper, .quarantine])
    func `a second sheet for an assignment answers none, where staff let it in`(_ door: Door) throws {
        let asked: Asked = door == .paper ? .nothing : .assignment
        #expect(try status(door, asked, completed: portal.now).assignment?.text == portal.cast.assignment)
        try prepare(.answered)
        let second = try status(door, asked, completed: portal.now)
        #expect(second.status == 200 && second.assignment == nil)
    }
}
