import Database
import Identity
import Instruments
import Records
import Responses
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// One thing that happened in a therapy.
package struct TimelineEvent: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case pairing, assignment, contribution, daily, intervention, session, alert, note, therapy
    }

    package let kind: Kind
    package let at: Instant
    package let subjectID: String?
    /// Entries have no id of their own: kind and subject name them.
    package var id: String { "\(kind.rawValue)/\(subjectID ?? "")\(isEnd ? "/end" : "")" }
    /// The sheet and its questionnaire, for answers.
    package var sheet: ContributionSummary?
    package var assignment: AssignmentRecord?
    package var questionnaire: QuestionnaireRecord?
    package var session: SessionList.Numbered?
    package var intervention: InterventionRecord?
    /// The words of an intervention.
    package var text: InterventionText?
    /// Words of its own: of an alert, of a line for the session.
    package var heading: String?
    /// The rule behind it, with the values that met it.
    package var reason: String?
    package var alert: AlertRecord?
    /// The word with which an alert was acknowledged; who stands in during a pause.
    var remark: String?
    package var pause: Therapies.Pause?
    /// Of a therapy's two entries the second.
    var isEnd = false

    package init(
        kind: Kind, at: Instant, subjectID: String?, sheet: ContributionSummary? = nil,
        assignment: AssignmentRecord? = nil, questionnaire: QuestionnaireRecord? = nil,
        session: SessionList.Numbered? = nil, intervention: InterventionRecord? = nil,
        text: InterventionText? = nil, heading: String? = nil, reason: String? = nil,
        alert: AlertRecord? = nil, remark: String? = nil, pause: Therapies.Pause? = nil, isEnd: Bool = false
    ) {
        self.kind = kind
        self.at = at
        self.subjectID = subjectID
        self.sheet = sheet
        self.assignment = assignment
        self.questionnaire = questionnaire
        self.session = session
        self.intervention = intervention
        self.text = text
        self.heading = heading
        self.reason = reason
        self.alert = alert
        self.remark = remark
        self.pause = pause
        self.isEnd = isEnd
    }
}

/// Reads what happened in a therapy, the newest first, from everybody's stores.
struct TimelineReader: Sendable {
    let therapy: Therapy
    private let keys: Keyring
    private let cache: QuestionnaireCache
    private let words: RuleFormatter

    init(_ c: Context<Caseload>, _ connection: borrowing Connection) throws {
        therapy = c.proof.patient
        keys = c.keys
        cache = c.services.questionnaires
        words = try RuleFormatter(c, connection)
    }

    /// One page: everything from the moment of the `limit`th newest sheet on, so that whatever happened at one
    /// moment stands together.
    /// - Returns: the entries, and the moment below which the next page goes on; nil when this is the last.
    func page(
        before: Instant, limit: Int, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> (entries: [TimelineEvent], next: Instant?) {
        let boundary = try ContributionStore.boundary(
            inTherapy: therapy.id, before: before, limit: limit, connection)
        let entries = try entries(since: boundary ?? .distantPast, before: before, sessions, connection)
        guard let boundary else { return (entries, nil) }
        let isLast =
            try ContributionStore.boundary(inTherapy: therapy.id, before: boundary, limit: 1, connection)
            == nil
        // The last sheets take along what lies before them.
        return isLast
            ? (try self.entries(since: .distantPast, before: before, sessions, connection), nil)
            : (entries, boundary)
    }

    func entries(
        since: Instant, before: Instant, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> [TimelineEvent] {
        var entries = try assignments(connection) + milestones() + pauses(connection)
        entries += try ruled(connection)
        entries += sessions.all.map {
            TimelineEvent(kind: .session, at: $0.session.startsAt, subjectID: $0.session.id, session: $0)
        }
        entries = entries.filter { $0.at >= since && $0.at < before }
        entries += try sheets(since: since, before: before, connection)
        return entries.sorted { $0.at == $1.at ? $0.id < $1.id : $0.at > $1.at }
    }

    private func sheets(since: Instant, before: Instant, _ connection: borrowing Connection) throws
        -> [TimelineEvent]
    {
        let found = try ContributionStore.sheets(
            inTherapy: therapy.id, since: since, before: before, connection)
        return try found.compactMap { sheet in
            guard let questionnaire = try QuestionnaireStore.find(sheet.questionnaireID, cache, connection)
            else {
                return nil
            }
            return TimelineEvent(
                kind: sheet.isDaily ? .daily : .contribution, at: sheet.completedAt, subjectID: sheet.id,
                sheet: sheet,
                questionnaire: questionnaire)
        }
    }

    private func assignments(_ connection: borrowing Connection) throws -> [TimelineEvent] {
        try AssignmentStore.all(in: therapy.id, connection).compactMap { record in
            guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else {
                return nil
            }
            return TimelineEvent(
                kind: .assignment, at: record.assignedAt, subjectID: record.id, assignment: record,
                questionnaire: questionnaire)
        }
    }

    /// Interventions, alerts and lines for the session, each with the rule behind it.
    private func ruled(_ connection: borrowing Connection) throws -> [TimelineEvent] {
        let interventions = try InterventionStore.all(in: therapy.id, withWithdrawn: true, connection)
        let firings = try FiringStore.all(in: therapy.id, connection)
        guard !interventions.isEmpty || !firings.isEmpty else { return [] }
        let key = try therapy.key(keys)
        var reasons: [String: String] = [:]
        var entries: [TimelineEvent] = []
        let alerts = try AlertStore.all(in: therapy.id, connection)
        for firing in firings {
            let record = try firing.record(key)
            let reason = words.reason(record)
            if let id = firing.interventionID { reasons[id] = reason }
            if firing.isInBriefing {
                var entry = TimelineEvent(kind: .note, at: firing.at, subjectID: firing.id)
                (entry.heading, entry.reason) = (record.rule.actions.briefing, reason)
                entries.append(entry)
            }
            for alert in alerts where alert.firing.id == firing.id {
                var entry = TimelineEvent(kind: .alert, at: alert.raisedAt, subjectID: alert.id, alert: alert)
                (entry.heading, entry.reason) = (record.rule.actions.alert, reason)
                entry.remark = try alert.comment(key)
                entries.append(entry)
            }
        }
        return try entries
            + interventions.map { record in
                TimelineEvent(
                    kind: .intervention, at: record.assignedAt, subjectID: record.id, intervention: record,
                    text: try record.text(key), reason: reasons[record.id])
            }
    }

    /// Holidays of the patient, and the therapist's as far as they lie in the therapy.
    private func pauses(_ connection: borrowing Connection) throws -> [TimelineEvent] {
        let zone = words.dates.zone
        return try PauseStore.all(for: therapy, connection).compactMap { pause in
            let start = zone.instant(pause.startsOn, hour: 0, minute: 0)
            let isOutside = start < therapy.createdAt || therapy.endedAt.map { start > $0 } ?? false
            if isOutside { return nil }
            var entry = TimelineEvent(kind: .therapy, at: start, subjectID: pause.id, pause: pause)
            let key =
                pause.therapyID == nil
                ? try AccountStore.find(pause.therapistID, connection)?.key(keys) : try therapy.key(keys)
            entry.remark = try key.flatMap { try pause.cover($0) }
            return entry
        }
    }

    private func milestones() -> [TimelineEvent] {
        var entries = [TimelineEvent(kind: .therapy, at: therapy.createdAt, subjectID: therapy.id)]
        if let pairedAt = therapy.pairedAt {
            entries.append(TimelineEvent(kind: .pairing, at: pairedAt, subjectID: therapy.id))
        }
        if let endedAt = therapy.endedAt {
            entries.append(TimelineEvent(kind: .therapy, at: endedAt, subjectID: therapy.id, isEnd: true))
        }
        return entries
    }
}
