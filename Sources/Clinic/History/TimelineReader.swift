import Contributions
import Database
import Delivery
import Identity
import Instruments
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Reads the events of a therapy, the newest first, from all stores.
struct TimelineReader: Sendable {
    let therapy: Therapy
    private let keys: Keyring
    private let cache: QuestionnaireCache
    private let words: RuleFormatter
    /// Whether the therapist's private words are hidden.
    private let isHidden: Bool

    init(_ c: Context<Caseload>, _ connection: borrowing Connection) throws {
        therapy = c.proof.patient
        keys = c.keys
        cache = c.services.questionnaires
        words = try RuleFormatter(c, connection)
        isHidden = !therapy.mayNameTo(c.proof.therapist)
    }

    /// The most assignments, interventions, and firings of a page, of each: years of a therapy stay far below.
    static let givenLimit = 1_000

    /// The moment from which on a page is full: that of the `limit`th newest sheet, or of the newest thousand
    /// assignments or firings; nil when fewer are before it.
    func boundary(
        before: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> Instant? {
        let most = Self.givenLimit
        return [
            try ContributionStore.boundary(inTherapy: therapy.id, before: before, limit: limit, connection),
            try AssignmentStore.boundary(in: therapy.id, before: before, limit: most, connection),
            try InterventionStore.boundary(in: therapy.id, before: before, limit: most, connection),
            try FiringStore.boundary(in: therapy.id, before: before, limit: most, connection),
        ].compactMap(\.self).max()
    }

    /// One page: everything from the moment on at which it is full, so that events of one moment stay together.
    /// - Returns: the entries, and the moment below which the next page continues; nil for the last page.
    func page(
        before: Instant, limit: Int, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> (entries: [TimelineEvent], next: Instant?) {
        let boundary = try boundary(before: before, limit: limit, connection)
        let entries = try entries(since: boundary ?? .distantPast, before: before, sessions, connection)
        guard let boundary else { return (entries, nil) }
        let isLast = try self.boundary(before: boundary, limit: 1, connection) == nil
        // With the last sheets all earlier events are included.
        return isLast
            ? (try self.entries(since: .distantPast, before: before, sessions, connection), nil)
            : (entries, boundary)
    }

    func entries(
        since: Instant, before: Instant, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> [TimelineEvent] {
        var entries = try milestones() + pauses(connection) + phoned(connection)
        entries += sessions.all.map {
            TimelineEvent(at: $0.session.startsAt, content: .session($0))
        }
        entries = entries.filter { $0.at >= since && $0.at < before }
        entries += try assignments(since: since, before: before, connection)
        entries += try ruled(since: since, before: before, connection)
        entries += try sheets(since: since, before: before, connection)
        return entries.sorted { $0.at == $1.at ? $0.id < $1.id : $0.at > $1.at }
    }

    /// The therapist's assignments and interventions by hand in a period, the earliest first.
    func assigned(from: Instant, until: Instant, _ connection: borrowing Connection) throws -> [TimelineEvent]
    {
        let all =
            try assignments(since: from, before: until, connection)
            + given(since: from, before: until, connection)
        return all.filter { event in
            switch event.content {
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

    private func assignments(
        since: Instant, before: Instant, _ connection: borrowing Connection
    ) throws -> [TimelineEvent] {
        let found = try AssignmentStore.given(in: therapy.id, since: since, before: before, connection)
        return try found.compactMap { record in
            guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else {
                return nil
            }
            return TimelineEvent(at: record.assignedAt, content: .assignment(record, of: questionnaire))
        }
    }

    /// Interventions, alerts and lines for the session, each with its rule.
    private func ruled(
        since: Instant, before: Instant, _ connection: borrowing Connection
    ) throws -> [TimelineEvent] {
        var entries = try given(since: since, before: before, connection)
        let firings = try FiringStore.briefing(in: therapy.id, since: since, before: before, connection)
        let alerts = try AlertStore.raised(in: therapy.id, since: since, before: before, connection)
        guard !firings.isEmpty || !alerts.isEmpty else { return entries }
        let key = try therapy.key(keys)
        entries += try firings.map { firing in
            let record = try firing.record(key)
            let content = TimelineEvent.Content.note(
                firing: firing.id, heading: record.rule.actions.briefing, because: words.reason(record))
            return TimelineEvent(at: firing.at, content: content)
        }
        entries += try alerts.map { alert in
            let record = try alert.firing.record(key)
            let content = TimelineEvent.Content.alert(
                alert, heading: record.rule.actions.alert, because: words.reason(record),
                remark: try alert.comment(key))
            return TimelineEvent(at: alert.raisedAt, content: content)
        }
        return entries
    }

    /// Interventions, with the rule of those that one gave.
    private func given(
        since: Instant, before: Instant, _ connection: borrowing Connection
    ) throws -> [TimelineEvent] {
        let found = try InterventionStore.given(
            in: therapy.id, since: since, before: before, withWithdrawn: true, connection)
        guard !found.isEmpty else { return [] }
        let key = try therapy.key(keys)
        var reasons: [ID<Intervention>: String] = [:]
        for firing in try FiringStore.behindInterventions(
            in: therapy.id, since: since, before: before, connection)
        {
            if let id = firing.interventionID { reasons[id] = words.reason(try firing.record(key)) }
        }
        return try found.map { record in
            TimelineEvent(
                at: record.assignedAt,
                content: .intervention(record, text: try record.text(key), because: reasons[record.id]))
        }
    }

    /// Holidays of the patient, and the therapist's within the therapy.
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
