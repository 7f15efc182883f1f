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
        var history = History(
            pairedAt: pairedAt, beginsAt: begins.adding(days: -14),
            pauses: PauseSpans(try PauseStore.all(for: therapy, connection), zone))
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
