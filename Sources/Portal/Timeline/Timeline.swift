import Database
import Wire

/// One thing that happened in a therapy.
struct Entry: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case pairing, assignment, contribution, daily, session, therapy
    }

    let kind: Kind
    let at: Instant
    let subjectID: String?
    /// The sheet and its questionnaire, for answers.
    var sheet: AnsweredSheet?
    var assignment: AssignmentRecord?
    var questionnaire: QuestionnaireRecord?
    var session: SessionList.Numbered?
}

/// An answer sheet with its scores.
struct AnsweredSheet: Sendable {
    let record: ContributionRecord
    let scores: [ScaleScore]
}

/// Reads what happened in a therapy, the newest first, from everybody's stores.
struct TimelineReader: Sendable {
    let therapy: Therapy
    let cache: QuestionnaireCache
    let zone: Zone
    let now: Instant

    /// - Parameters:
    ///   - before: only what happened earlier than this.
    ///   - limit: at most this many answer sheets; everything else is little.
    func entries(
        since: Instant? = nil, before: Instant? = nil, limit: Int, _ connection: borrowing Connection
    ) throws -> [Entry] {
        let sessions = try sessions(connection)
        var entries = try sheets(since: since, before: before, limit: limit, connection)
        let oldest = entries.count < limit ? nil : entries.last?.at
        entries += try assignments(connection) + milestones()
        entries += sessions.all.map { Entry(kind: .session, at: $0.session.startsAt, subjectID: $0.session.id, session: $0) }
        return entries.filter { entry in
            entry.at >= (oldest ?? entry.at) && entry.at < (before ?? .distantFuture) && entry.at >= (since ?? entry.at)
        }.sorted { ($0.at, $0.subjectID ?? "") > ($1.at, $1.subjectID ?? "") }
    }

    func sessions(_ connection: borrowing Connection) throws -> SessionList {
        let sessions = try SessionStore.all(of: therapy.id, connection)
        return SessionList(sessions, startedOn: therapy.startedOn, zone: zone, now: now)
    }

    private func sheets(
        since: Instant?, before: Instant?, limit: Int, _ connection: borrowing Connection
    ) throws -> [Entry] {
        let found = try ContributionStore.sheets(
            inTherapy: therapy.id, since: since, before: before, limit: limit, connection)
        return try found.compactMap { sheet in
            guard let questionnaire = try QuestionnaireStore.find(sheet.record.questionnaireID, cache, connection) else {
                return nil
            }
            let kind: Entry.Kind = sheet.isDaily ? .daily : .contribution
            let answered = AnsweredSheet(record: sheet.record, scores: sheet.scores)
            return Entry(
                kind: kind, at: sheet.record.completedAt, subjectID: sheet.record.id, sheet: answered,
                questionnaire: questionnaire)
        }
    }

    private func assignments(_ connection: borrowing Connection) throws -> [Entry] {
        try AssignmentStore.all(in: therapy.id, connection).compactMap { record in
            guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection) else {
                return nil
            }
            return Entry(
                kind: .assignment, at: record.assignedAt, subjectID: record.id, assignment: record,
                questionnaire: questionnaire)
        }
    }

    private func milestones() -> [Entry] {
        var entries = [Entry(kind: .therapy, at: therapy.createdAt, subjectID: "created")]
        if let pairedAt = therapy.pairedAt { entries.append(Entry(kind: .pairing, at: pairedAt, subjectID: nil)) }
        if let endedAt = therapy.endedAt { entries.append(Entry(kind: .therapy, at: endedAt, subjectID: "ended")) }
        return entries
    }
}

extension Instant {
    static let distantFuture = Instant(milliseconds: .max)
    static let distantPast = Instant(milliseconds: .min)
}
