import Database
import HTTP
import JSON
import Testing
import Wire
import Wording

@testable import Contributions
@testable import Identity
@testable import Instruments
@testable import Intake
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// The table at the head of `StudyRule`, a case for each of its cells.
@Suite struct StudyRuleTests {
    private let portal: TestPortal
    private let study: String
    private let item: String

    /// Nora takes part since two days; every day there is a prompt half an hour before the moment of the test.
    init() throws {
        portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        item = desk.add("wellbeing-5", to: study, StudyDesk.daily("09:30"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 2 * 86_400)
    }

    enum Door: Sendable { case device, paper, quarantine }

    /// What has come between; hours are counted from now.
    enum Before: Sendable {
        case nothing, offApp, once, baseline, erased
        case left(Int64)
        case stopped(Int64)
        case deactivated(Int64)
        case retired(Int64)
        case sheets(Int)
    }

    enum Asked: Sendable { case today, yesterday, nothing }

    /// What the rule says: nil where it takes the sheet, else the key of its sentence.
    private struct Verdict: Equatable {
        var refusal: String?
        var answersPrompt = false
    }

    private func prepare(_ before: Before) throws {
        if case .baseline = before { try portal.publish("intersession-daily") }
        let (now, nora) = (portal.now, portal.cast.accounts[.nora] ?? "")
        try portal.services.records.writeUnaudited(.madeUp) { [study, item] connection in
            let enrolment: SQL = "study_id = \(study) AND account_id = \(nora)"
            func hours(_ count: Int64) -> Instant { now.adding(seconds: count * 3600) }
            switch before {
            case .nothing: break
            case .baseline:
                try connection.run(
                    """
                    INSERT INTO study_questionnaires (id, study_id, questionnaire_key, position, is_onetime, baseline,
                        is_schedule_changeable, uses_gps, uses_microphone, added_at)
                    VALUES ('baseline', \(study), 'intersession-daily', 2, 1, 'required', 0, 0, 0, \(hours(-1)))
                    """)
            case .offApp: try connection.run("UPDATE enrolments SET arm = 'no_app' WHERE \(sql: enrolment)")
            case .once:
                try connection.run("UPDATE study_questionnaires SET is_onetime = 1 WHERE id = \(item)")
                try Self.plant(1, at: hours(-2), enrolment, connection)
            case .sheets(let count):
                try Self.plant(count, at: hours(-2), enrolment, connection)
            case .erased:
                try connection.run(
                    "UPDATE enrolments SET state = 'left', left_at = \(now), erased_at = \(now) WHERE \(sql: enrolment)"
                )
            case .left(let count):
                try connection.run(
                    "UPDATE enrolments SET state = 'left', left_at = \(hours(count)) WHERE \(sql: enrolment)")
            case .stopped(let count):
                try connection.run("UPDATE study_runs SET until = \(hours(count)) WHERE study_id = \(study)")
                try connection.run("UPDATE studies SET is_running = 0 WHERE id = \(study)")
            case .deactivated(let count):
                try connection.run(
                    "UPDATE study_questionnaires SET deactivated_at = \(hours(count)) WHERE id = \(item)")
            case .retired(let count):
                try connection.run(
                    "UPDATE questionnaires SET retired_at = \(hours(count)) WHERE key = 'wellbeing-5'")
            }
        }
    }

    /// Sheets of the participant that were received at that moment.
    private static func plant(
        _ count: Int, at moment: Instant, _ enrolment: SQL, _ connection: borrowing Connection
    ) throws {
        for number in 0..<count {
            try connection.run(
                """
                INSERT INTO contributions (account_id, id, study_id, enrolment_id, questionnaire_id, started_at, completed_at,
                    received_at, timezone, answers, answered, asked)
                SELECT account_id, \("planted \(number)"), study_id, id,
                    (SELECT id FROM questionnaires WHERE key = 'wellbeing-5'), \(moment), \(moment), \(moment), timezone,
                    (SELECT answers FROM contributions LIMIT 1), 5, 5 FROM enrolments WHERE \(sql: enrolment)
                """)
        }
    }

    private func verdict(_ door: Door, _ asked: Asked, completed: Instant) throws -> Verdict {
        let (services, now) = (portal.services, portal.now)
        let account = portal.cast.accounts[.nora] ?? ""
        return try services.records.read { [study, item, cast = portal.cast] connection in
            let enrolment = try #require(try EnrolmentStore.find(in: ID(study), of: account, connection))
            let key = "wellbeing-5"
            let version = try #require(try QuestionnaireStore.versions(key, connection).first)
            let place = StudyTarget(
                study: try #require(try StudyStore.find(ID(study), connection)), enrolment: enrolment,
                item: try #require(try StudyItemStore.find(ID(item), in: ID(study), connection)),
                questionnaire: try #require(
                    try QuestionnaireStore.find(version.id, services.questionnaires, connection)))
            let day: Int64 = asked == .yesterday ? -1 : 0
            let prompts = try StudyAssignments(
                account: account, cache: services.questionnaires, now: now.adding(days: day)
            ).asked(connection)
            let occasion: Occasion =
                asked == .nothing
                ? .unasked(.study(place))
                : .prompt(try #require(prompts.first { $0.item.id == place.item.id }), place)
            let person = try #require(try AccountStore.find(account, connection))
            let device: ID<Credential>? = try connection.value("SELECT id FROM credentials LIMIT 1")
            let pia = try #require(cast.therapies[.pia])
            let arrival: Arrival =
                switch door {
                case .device:
                    .device(Quarantine(id: "s", json: .null, account: person), credential: device, known: nil)
                case .paper: .paper(by: "lena")
                case .quarantine:
                    .quarantine(
                        try #require(
                            try QuarantineStore.find(ID(cast.quarantined), at: .therapy(pia), connection)),
                        by: "lena")
                }
            let submission = Submission(
                reason: .paper, startedAt: completed, completedAt: completed, timezone: "Europe/Vienna",
                answers: nil)
            var sheet = try NewContribution(
                submission, id: "s", account: account, study: place.study.id, enrolment: enrolment.id,
                item: place.item.id.text,
                place.questionnaire, answers: [:], receivedAt: now, device: nil)
            do {
                let rule = StudyRule(place: place, arrival: arrival, cache: services.questionnaires, now: now)
                try rule.prove(occasion, &sheet, connection)
                return Verdict(refusal: nil, answersPrompt: sheet.prompt != nil)
            } catch let clock as WrongClock {
                return Verdict(refusal: clock.key)
            } catch let ended as AfterEnd {
                guard case .conflict(let message, _) = ended.problem else { throw ended }
                return Verdict(refusal: message.key)
            } catch let second as Contradiction {
                return Verdict(refusal: second.key)
            } catch Problem.conflict(let message, _) {
                return Verdict(refusal: message.key)
            } catch Problem.invalid(let errors) { return Verdict(refusal: errors.list.first?.message.key) }
        }
    }

    /// The refusal of each door, in the order device, paper, quarantine; an empty one where the sheet is taken.
    @Test(
        arguments: [
            // The prompt's window.
            (.nothing, .today, 0, ["", "", ""]),
            (.nothing, .today, -1, ["answers.too_early", "", ""]),
            (.nothing, .today, 1, ["errors.future", "", ""]),
            (.nothing, .yesterday, 0, ["answers.too_late", "", ""]),
            // Since enrolling, before leaving, nothing erased.
            (.nothing, .nothing, -49, ["studies.before_enrolment", "", "studies.before_enrolment"]),
            (
                .nothing, .nothing, -73,
                ["studies.before_enrolment", "studies.before_enrolment", "studies.before_enrolment"]
            ),
            (.left(-1), .nothing, -2, ["", "", ""]),
            (.left(-1), .nothing, 0, ["studies.left", "studies.left", "studies.left"]),
            (.erased, .nothing, -2, ["studies.left", "studies.left", "studies.left"]),
            // In a group with the app.
            (.offApp, .nothing, 0, ["studies.on_paper", "", "studies.on_paper"]),
            // The study ran, and asked it.
            (.stopped(-1), .nothing, -2, ["", "", ""]),
            (.stopped(-1), .nothing, 0, Array(repeating: "studies.was_not_running", count: 3)),
            (.deactivated(-1), .nothing, -2, ["", "", ""]),
            (.deactivated(-1), .nothing, 0, Array(repeating: "answers.inactive", count: 3)),
            // A version in use.
            (.retired(-1), .nothing, -2, ["", "", ""]),
            (.retired(-1), .nothing, 0, ["answers.inactive", "", ""]),
            // Once only.
            (.once, .nothing, 0, ["answers.already_answered", "answers.already_answered", ""]),
            // A hundred a day.
            (.sheets(99), .nothing, 0, ["", "", ""]),
            (.sheets(100), .nothing, 0, ["studies.sheets_a_day", "", ""]),
            // Required baselines first.
            (.baseline, .nothing, 0, ["studies.baseline_first", "", ""]),
        ] as [(Before, Asked, Int64, [String])])
    func `TYS-4 what is asked of a sheet of a study depends on how it comes in`(
        _ before: Before, _ asked: Asked, _ hours: Int64, _ expected: [String]
    ) throws {
        try prepare(before)
        let completed = portal.now.adding(seconds: hours * 3600)
        for (door, refusal) in zip([Door.device, .paper, .quarantine], expected) {
            let found = try verdict(door, asked, completed: completed)
            #expect(found.refusal ?? "" == refusal, "\(door)")
        }
    }

    @Test(arguments: [Door.device, .paper, .quarantine])
    func `a sheet that names no prompt answers the one that waits`(_ door: Door) throws {
        #expect(try verdict(door, .nothing, completed: portal.now).answersPrompt)
    }

    @Test func `what was refused as a contradiction answers no prompt`() throws {
        try portal.services.records.writeUnaudited(.madeUp) { [cast = portal.cast] in
            try $0.run(
                "UPDATE quarantined_sheets SET reason = 'contradiction' WHERE id = \(cast.quarantined)")
        }
        let found = try verdict(.quarantine, .nothing, completed: portal.now)
        #expect(found == Verdict(refusal: nil, answersPrompt: false))
    }
}
