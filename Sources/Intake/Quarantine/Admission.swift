import Contributions
import Database
import Delivery
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Decides about a refused sheet. An admitted one becomes a sheet like any other, marked as admitted; its content
/// stays as sent, except for an impossible time and for sensors that are off.
package struct Admission: RefusedContribution {
    package let record: QuarantinedRecord
    package let json: JSON
    /// Nil when the content cannot be read at all.
    package let submission: Submission?
    /// The target and the answers; nil with the reason when it cannot be admitted.
    package let target: TherapyTarget?
    package let answers: Answers
    package let obstacle: Message?
    package var questionnaire: QuestionnaireRecord? { target?.questionnaire }
    package var codename: String? { nil }

    /// - Throws: when the account is gone.
    package static func read(
        _ record: QuarantinedRecord, _ therapy: Therapy, _ services: Services,
        _ connection: borrowing Connection
    ) throws -> Admission {
        guard let account = try AccountStore.find(record.accountID, connection) else {
            throw Problem.notFound
        }
        if record.isEmptied { throw Problem.conflict(Message("quarantine.decided")) }
        let json = try record.json(try account.key(services.keys))
        let submission = try? Submission.read(InputReader(json: json), zone: account.timezone)
        guard let submission else {
            return Admission(record, json, nil, nil, [:], Message("quarantine.unreadable"))
        }
        guard let target = try target(of: submission, record, therapy, services.questionnaires, connection)
        else {
            return Admission(record, json, submission, nil, [:], Message("quarantine.no_version"))
        }
        if record.reason == .clock, record.receivedAt.seconds < target.opens.seconds {
            return Admission(record, json, submission, target, [:], Message("quarantine.not_begun"))
        }
        do {
            let answers = try target.questionnaire.definition.readAnswers(submission.answers)
            return Admission(record, json, submission, target, answers, nil)
        } catch {
            return Admission(record, json, submission, target, [:], Message("quarantine.other_questions"))
        }
    }

    private init(
        _ record: QuarantinedRecord, _ json: JSON, _ submission: Submission?, _ target: TherapyTarget?,
        _ answers: Answers, _ obstacle: Message?
    ) {
        self.record = record
        self.json = json
        self.submission = submission
        self.target = target
        self.answers = answers
        self.obstacle = obstacle
    }

    /// A daily of an unknown version is read as the version in force.
    private static func target(
        of submission: Submission, _ record: QuarantinedRecord, _ therapy: Therapy,
        _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> TherapyTarget? {
        switch submission.reason {
        case .study, .paper: return nil
        case .assignment(let id):
            guard let assignment = try AssignmentStore.find(id, inTherapy: therapy.id, connection),
                let found = try QuestionnaireStore.find(assignment.questionnaireID, cache, connection)
            else { return nil }
            return TherapyTarget(assignment, therapy, found)
        case .daily(let id, let from, let due, let zone):
            let known = try QuestionnaireStore.find(id, cache, connection)
            let newest = try QuestionnaireStore.newest(DailyPlan.questionnaireKey, cache, connection)
            guard let found = known?.key == DailyPlan.questionnaireKey ? known : newest else { return nil }
            return try? TherapyTarget(
                daily: from, due, timezone: zone ?? submission.zone.name, therapy, found)
        }
    }

    /// The time of completion that counts: the one sent, unless the clock was wrong. Then the moment of arrival, or
    /// the end of its window if that was earlier.
    package var completedAt: Instant? {
        guard let submission, let target else { return submission?.completedAt }
        guard record.reason == .clock else { return submission.counted(from: target.opens).completedAt }
        return min(record.receivedAt, target.closes)
    }

    /// Stores it and notes the decision, in one transaction.
    /// - Throws: `Problem.conflict` when it cannot be admitted, or was decided already.
    package func admit(_ c: Context<Caseload>) throws {
        if let obstacle { throw Problem.conflict(obstacle) }
        guard let target else { throw Problem.notFound }
        let occasion = target.assignment.map { Occasion.assignment($0, target) } ?? .ownDaily(target)
        let card = try c.read { try InstrumentStore.card(target.questionnaire.key, $0) }
        try admit(for: occasion, by: c.proof.therapist.id, asks: card.asks, c)
    }

    /// It can be brought back for 30 days.
    package static func discard(_ id: ID<QuarantinedRecord>, _ c: Context<Caseload>) throws {
        let by = c.proof.therapist.id
        let therapy = c.proof.patient.id
        try c.write(.quarantineDiscarded, about: therapy, object: id) { [now = c.now] connection in
            try QuarantineStore.decide(.discarded, id, at: .therapy(therapy), by: by, now: now, connection)
        }
    }

    /// Undoes a discarding: the sheet waits for a decision again.
    package static func bringBack(_ id: ID<QuarantinedRecord>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        try c.write(.quarantineReturned, about: therapy, object: id) { [now = c.now] connection in
            try QuarantineStore.bringBack(id, at: .therapy(therapy), now: now, connection)
        }
    }
}
