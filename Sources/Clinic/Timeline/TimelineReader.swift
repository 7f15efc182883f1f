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

/// Reads what happened in a therapy, the newest first, from everybody's stores.
struct TimelineReader: Sendable {
    let therapy: Therapy
    private let keys: Keyring
    private let cache: QuestionnaireCache
    private let words: RuleFormatter
    /// The therapist hides what they wrote for their own eyes.
    private let isHidden: Bool

    init(_ c: Context<Caseload>, _ connection: borrowing Connection) throws {
        therapy = c.proof.patient
        keys = c.keys
        cache = c.services.questionnaires
        words = try RuleFormatter(c, connection)
        isHidden = !therapy.mayNameTo(c.proof.therapist)
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
        var entries = try assignments(connection) + milestones() + pauses(connection) + phoned(connection)
        entries += try ruled(connection)
        entries += sessions.all.map {
            TimelineEvent(at: $0.session.startsAt, content: .session($0))
        }
        entries = entries.filter { $0.at >= since && $0.at < before }
        entries += try sheets(since: since, before: before, connection)
        return entries.sorted { $0.at == $1.at ? $0.id < $1.id : $0.at > $1.at }
    }

    /// What the therapist assigned and gave by hand in a stretch of time, the earliest first.
    func assigned(from: Instant, until: Instant, _ connection: borrowing Connection) throws -> [TimelineEvent]
    {
        let all = try assignments(connection) + ruled(connection)
        return all.filter { event in
            guard event.at >= from && event.at < until else { return false }
            return switch event.content {
            case .assignment(let record, _): record.source == .therapist
            case .intervention(_, _, let reason): reason == nil
            default: false
            }
        }.sorted { $0.at < $1.at }
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
            return TimelineEvent(at: sheet.completedAt, content: .contribution(sheet, of: questionnaire))
        }
    }

    private func assignments(_ connection: borrowing Connection) throws -> [TimelineEvent] {
        try AssignmentStore.all(in: therapy.id, connection).compactMap { record in
            guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else {
                return nil
            }
            return TimelineEvent(at: record.assignedAt, content: .assignment(record, of: questionnaire))
        }
    }

    /// Interventions, alerts and lines for the session, each with the rule behind it.
    private func ruled(_ connection: borrowing Connection) throws -> [TimelineEvent] {
        let interventions = try InterventionStore.all(in: therapy.id, withWithdrawn: true, connection)
        let firings = try FiringStore.all(in: therapy.id, connection)
        guard !interventions.isEmpty || !firings.isEmpty else { return [] }
        let key = try therapy.key(keys)
        var reasons: [ID<Intervention>: String] = [:]
        var entries: [TimelineEvent] = []
        let alerts = try AlertStore.all(in: therapy.id, connection)
        for firing in firings {
            let record = try firing.record(key)
            let reason = words.reason(record)
            if let id = firing.interventionID { reasons[id] = reason }
            if firing.isInBriefing {
                let heading = record.rule.actions.briefing
                entries.append(
                    TimelineEvent(
                        at: firing.at, content: .note(firing: firing.id, heading: heading, because: reason)))
            }
            for alert in alerts where alert.firing.id == firing.id {
                let content = TimelineEvent.Content.alert(
                    alert, heading: record.rule.actions.alert, because: reason,
                    remark: try alert.comment(key))
                entries.append(TimelineEvent(at: alert.raisedAt, content: content))
            }
        }
        return try entries
            + interventions.map { record in
                TimelineEvent(
                    at: record.assignedAt,
                    content: .intervention(
                        record, text: try record.text(key), because: reasons[record.id]))
            }
    }

    /// Holidays of the patient, and the therapist's as far as they lie in the therapy.
    private func pauses(_ connection: borrowing Connection) throws -> [TimelineEvent] {
        let zone = words.dates.zone
        return try PauseStore.all(for: therapy, connection).compactMap { pause in
            let start = zone.instant(pause.startsOn, hour: 0, minute: 0)
            let isOutside = start < therapy.createdAt || therapy.endedAt.map { start > $0 } ?? false
            if isOutside { return nil }
            let key =
                pause.therapyID == nil
                ? try AccountStore.find(pause.therapistID, connection)?.key(keys) : try therapy.key(keys)
            let cover = try key.flatMap { try pause.cover($0) }
            return TimelineEvent(at: start, content: .pause(pause, cover: cover))
        }
    }

    private func phoned(_ connection: borrowing Connection) throws -> [TimelineEvent] {
        let contacts = try PhoneContactStore.all(in: therapy.id, connection)
        if contacts.isEmpty { return [] }
        let key = try therapy.key(keys)
        return try contacts.map { contact in
            TimelineEvent(
                at: contact.at, content: .phone(contact, note: isHidden ? nil : try contact.note(key)))
        }
    }

    private func milestones() -> [TimelineEvent] {
        var entries = [TimelineEvent(at: therapy.createdAt, content: .begin(therapy))]
        if let pairedAt = therapy.pairedAt {
            entries.append(TimelineEvent(at: pairedAt, content: .pairing(therapy)))
        }
        if let endedAt = therapy.endedAt {
            entries.append(TimelineEvent(at: endedAt, content: .end(therapy)))
        }
        return entries
    }
}
