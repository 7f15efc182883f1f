import Database
import Identity
import Instruments
import Records
import Scheduling
import Therapies
import Web
import Wire

/// Every statement that gathers the data of rules. It only reads tables of others.
enum HistoryStore {
    /// How much of a patient's past is read.
    enum Depth: Sendable {
        /// As much as the rules need now.
        case newest
        /// Everything, for evaluating past moments.
        case everything
    }

    /// The data that some rules need of a therapy.
    /// - Parameter last: with `newest`, the newest up to this moment.
    static func history(
        for rules: [Rule], of therapy: Therapy, depth: Depth, upTo last: Instant? = nil,
        _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws -> History? {
        guard let pairedAt = therapy.pairedAt, let accountID = therapy.accountID,
            let account = try AccountStore.find(accountID, connection)
        else { return nil }
        let zone = Zone(account.timezone)
        let begins = therapy.startedOn.map { zone.instant($0, hour: 0, minute: 0) } ?? pairedAt
        let pauses = try PauseStore.ever(for: therapy, connection)
        var history = History(
            pairedAt: pairedAt, beginsAt: begins.adding(days: -14),
            pauses: PauseSpans(pauses.filter { $0.removedAt == nil }, zone),
            endedEarly: pauses.compactMap { $0.held(in: therapy, zone) })
        let reader = Reader(
            therapy: therapy.id, account: account, depth: depth, last: last ?? .distantFuture, now: now,
            services: services)
        var versions: [String: [ID<QuestionnaireVersion>]] = [:]
        for clause in rules.flatMap(\.clauses) {
            if let key = clause.key, versions[key] == nil {
                versions[key] = try QuestionnaireStore.versions(key, connection).map(\.id)
            }
            try reader.add(clause, versions[clause.key ?? ""] ?? [], to: &history, connection)
        }
        if rules.contains(where: { $0.sessionWithinDays != nil }) {
            history.sessions = try SessionStore.all(of: therapy.id, connection)
        }
        return history
    }

    /// Whether newer sheets of the questionnaire were stored already.
    static func isLate(
        _ completed: Instant, of key: String, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Bool {
        let versions = try QuestionnaireStore.versions(key, connection).map(\.id)
        return try connection.exists(
            """
            SELECT 1 FROM contributions WHERE therapy_id = \(therapy) AND questionnaire_id IN \(list: versions)
            AND completed_at > \(completed) AND extra = 0 LIMIT 1
            """)
    }
}

extension PauseRecord {
    /// When it held, for one that was taken away: from its first day, and the moment at which it was entered or its therapist took the
    /// therapy over. Nil for one in force, and for a slip, which would begin a silence anew: one that held for less than a day.
    fileprivate func held(in therapy: Therapy, _ zone: Zone) -> Range<Instant>? {
        guard let removedAt else { return nil }
        let led = therapyID == nil ? therapy.ledSince : nil
        let begin = max(zone.instant(startsOn, hour: 0, minute: 0), madeAt, led ?? .distantPast)
        let end = min(zone.instant(endsOn.adding(days: 1), hour: 0, minute: 0), removedAt)
        return begin.adding(days: 1) <= end ? begin..<end : nil
    }
}
