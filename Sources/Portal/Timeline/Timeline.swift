import Database
import Wire

/// One thing that happened in a therapy.
struct Entry: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case pairing, assignment, contribution, daily, intervention, session, therapy
    }

    let kind: Kind
    let at: Instant
    let subjectID: String?
    /// Entries have no id of their own: kind and subject name them.
    var id: String { "\(kind.rawValue)/\(subjectID ?? "")\(isEnd ? "/end" : "")" }
    /// The sheet and its questionnaire, for answers.
    var sheet: SheetSummary?
    var assignment: AssignmentRecord?
    var questionnaire: QuestionnaireRecord?
    var session: SessionList.Numbered?
    var intervention: InterventionRecord?
    /// The words of an intervention.
    var text: InterventionText?
    /// Of a therapy's two entries the second.
    var isEnd = false
}

/// Reads what happened in a therapy, the newest first, from everybody's stores.
struct TimelineReader: Sendable {
    let therapy: Therapy
    let keys: Keyring
    let cache: QuestionnaireCache

    /// One page: everything from the moment of the `limit`th newest sheet on, so that whatever happened at one
    /// moment stands together.
    /// - Returns: the entries, and the moment below which the next page goes on; nil when this is the last.
    func page(
        before: Instant, limit: Int, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> (entries: [Entry], next: Instant?) {
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
    ) throws -> [Entry] {
        var entries = try assignments(connection) + interventions(connection) + milestones()
        entries += sessions.all.map {
            Entry(kind: .session, at: $0.session.startsAt, subjectID: $0.session.id, session: $0)
        }
        entries = entries.filter { $0.at >= since && $0.at < before }
        entries += try sheets(since: since, before: before, connection)
        return entries.sorted { $0.at == $1.at ? $0.id < $1.id : $0.at > $1.at }
    }

    private func sheets(since: Instant, before: Instant, _ connection: borrowing Connection) throws -> [Entry]
    {
        let found = try ContributionStore.sheets(
            inTherapy: therapy.id, since: since, before: before, connection)
        return try found.compactMap { sheet in
            guard let questionnaire = try QuestionnaireStore.find(sheet.questionnaireID, cache, connection)
            else {
                return nil
            }
            return Entry(
                kind: sheet.isDaily ? .daily : .contribution, at: sheet.completedAt, subjectID: sheet.id,
                sheet: sheet,
                questionnaire: questionnaire)
        }
    }

    private func assignments(_ connection: borrowing Connection) throws -> [Entry] {
        try AssignmentStore.all(in: therapy.id, connection).compactMap { record in
            guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else {
                return nil
            }
            return Entry(
                kind: .assignment, at: record.assignedAt, subjectID: record.id, assignment: record,
                questionnaire: questionnaire)
        }
    }

    private func interventions(_ connection: borrowing Connection) throws -> [Entry] {
        let records = try InterventionStore.all(in: therapy.id, withWithdrawn: true, connection)
        guard !records.isEmpty else { return [] }
        let key = try therapy.key(keys)
        return try records.map { record in
            Entry(
                kind: .intervention, at: record.assignedAt, subjectID: record.id, intervention: record,
                text: try record.text(key))
        }
    }

    private func milestones() -> [Entry] {
        var entries = [Entry(kind: .therapy, at: therapy.createdAt, subjectID: therapy.id)]
        if let pairedAt = therapy.pairedAt {
            entries.append(Entry(kind: .pairing, at: pairedAt, subjectID: therapy.id))
        }
        if let endedAt = therapy.endedAt {
            entries.append(Entry(kind: .therapy, at: endedAt, subjectID: therapy.id, isEnd: true))
        }
        return entries
    }
}

extension Instant {
    static let distantFuture = Instant(milliseconds: .max)
    static let distantPast = Instant(milliseconds: .min)
}
