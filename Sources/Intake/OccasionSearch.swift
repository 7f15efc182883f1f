import Contributions
import Database
import Delivery
import HTTP
import Instruments
import Records
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// The daily's questionnaire that a device names is unknown, or not known any more.
struct UnknownVersion: Error {
    let therapy: ID<Therapy>
}

/// Finds the occasion of a device's sheet. The result is proved again in the transaction that stores the sheet.
struct OccasionSearch: Sendable {
    let submission: Submission
    let id: ID<ContributionRecord>
    let account: ID<Account>
    let cache: QuestionnaireCache
    let now: Instant

    struct Found: Sendable {
        let occasion: Occasion
        /// The opening that counts for a slightly slow clock.
        let opens: Instant
        /// The earlier sheet under the same id.
        let known: ContributionRecord?
        /// Whether values of a sensor are asked for.
        let asks: @Sendable (String) -> Bool
    }

    /// - Throws: `Problem` for an occasion that is another account's, not found or over; `UnknownVersion` and
    ///   `UnknownStudyVersion` for an unknown questionnaire.
    func find(_ connection: borrowing Connection) throws -> Found {
        let known = try ContributionStore.find(id, of: account, connection)
        let occasion = try occasion(known, connection)
        switch occasion.owner {
        case .therapy(let target):
            let card =
                submission.sensors.isEmpty
                ? nil : try InstrumentStore.card(target.questionnaire.key, connection)
            return Found(
                occasion: occasion, opens: target.opens, known: known,
                asks: { card?.asks($0) ?? false })
        case .study(let place):
            var opens = place.enrolment.enrolledAt
            if case .prompt(let asked, _) = occasion { opens = asked.availableFrom }
            // Sent again it counts from the same opening as at first.
            return Found(
                occasion: occasion, opens: known?.completedAt ?? opens ?? .distantPast, known: known,
                asks: place.item.asks)
        }
    }

    private func occasion(
        _ known: ContributionRecord?, _ connection: borrowing Connection
    ) throws -> Occasion {
        switch submission.reason {
        case .study(let study, let questionnaire):
            if known == nil, let event = submission.event {
                return .unasked(.study(try place(questionnaire, about: event, in: study, connection)))
            }
            let item = known.map(\.itemID) ?? submission.item
            return .unasked(
                .study(try place(questionnaire, item, isKnown: known != nil, in: study, connection)))
        case .assignment(let id):
            // A known sheet keeps its prompt.
            if let known, let study = known.studyID {
                let place = try place(
                    known.questionnaireID, known.itemID, isKnown: true, in: study, connection)
                return .unasked(.study(place))
            }
            if let assignment = try AssignmentStore.find(id, of: account, connection) {
                return try self.assignment(assignment, connection)
            }
            if let asked = try prompt(id, connection) {
                let item = asked.item.id.text
                return .prompt(asked, try place(asked.questionnaire.id, item, in: asked.study, connection))
            }
            _ = try therapies(connection)
            throw Problem.notFound
        case .daily(let questionnaire, let from, let due, let zone):
            return try daily(questionnaire, from: from, due: due, zone, connection)
        case .paper: throw Problem.notFound
        }
    }

    // MARK: Of a therapy

    /// - Throws: `Problem.forbidden` for an account without any.
    private func therapies(_ connection: borrowing Connection) throws -> [Therapy] {
        let therapies = try TherapyHolderStore.therapies(takingSheetsOf: account, connection)
        if therapies.isEmpty { throw Problem.forbidden(Message("problems.not_paired")) }
        return therapies
    }

    private func assignment(
        _ assignment: AssignmentRecord, _ connection: borrowing Connection
    ) throws -> Occasion {
        guard let therapy = try therapies(connection).first(where: { $0.id == assignment.therapyID }),
            let record = try QuestionnaireStore.find(assignment.questionnaireID, cache, connection)
        else { throw Problem.notFound }
        let target = TherapyTarget(assignment, therapy, record)
        try target.requireRunning(completed: submission.completedAt, now: now)
        return .assignment(assignment, target)
    }

    private func daily(
        _ questionnaire: ID<QuestionnaireVersion>, from: Instant, due: Instant, _ zone: String?,
        _ connection: borrowing Connection
    ) throws -> Occasion {
        let therapies = try therapies(connection)
        guard let therapy = therapies.last(where: { $0.pairedAt.map { $0 <= from } ?? false }) else {
            throw Problem.invalid("daily.available_from", "answers.daily_before")
        }
        try therapy.requireRunning(
            completed: submission.completedAt, asked: from, until: due, now: now)
        guard let record = try QuestionnaireStore.find(questionnaire, cache, connection) else {
            throw UnknownVersion(therapy: therapy.id)
        }
        guard record.key == DailyPlan.questionnaireKey else {
            throw Problem.invalid("daily.questionnaire_id", "answers.not_daily")
        }
        guard try QuestionnaireStore.newest(record.key, cache, connection) != nil else {
            throw Problem.conflict(Message("answers.inactive"))
        }
        return .ownDaily(
            try TherapyTarget(daily: from, due, timezone: zone ?? submission.zone.name, therapy, record))
    }

    // MARK: Of a study

    /// For a clock that is wrong by days: a prompt up to now.
    private func prompt(_ id: ID<Assignment>, _ connection: borrowing Connection) throws -> StudyAssignment? {
        let all = StudyAssignments(account: account, cache: cache, now: now)
        return try all.find(id, at: submission.completedAt, connection)
            ?? all.find(id, at: now, connection)
    }

    /// The one whose button the participant has pressed.
    private func place(
        _ version: ID<QuestionnaireVersion>, about event: ID<StudyEvent>, in study: ID<Study>,
        _ connection: borrowing Connection
    ) throws -> StudyTarget {
        guard let noted = try StudyEventStore.find(event, of: account, connection),
            submission.item == nil || submission.item == noted.itemID.text
        else { throw Problem.invalid("event_id", "answers.unknown_event") }
        return try StudyTarget(version, about: noted, in: study, of: account, cache, connection)
    }

    private func place(
        _ version: ID<QuestionnaireVersion>, _ item: String?, isKnown: Bool = false, in study: ID<Study>,
        _ connection: borrowing Connection
    ) throws -> StudyTarget {
        try StudyTarget(
            version, item, isKnown: isKnown, study, account, at: submission.completedAt, now: now, cache,
            connection)
    }
}
