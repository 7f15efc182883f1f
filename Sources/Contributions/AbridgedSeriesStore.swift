import Database
import Questionnaires
import Records
import Therapies
import Wire

/// The moments that a therapy's changes are counted from.
package struct SeriesFrame: Sendable {
    let therapy: ID<Therapy>
    /// Values before it are from before the therapy.
    let begins: Instant
    /// The end of the last session held; `distantPast` without one.
    let held: Instant

    package init(_ therapy: ID<Therapy>, begins: Instant, held: Instant) {
        self.therapy = therapy
        self.begins = begins
        self.held = held
    }
}

// The values that changes are counted from, for many therapies at once (PR-34).
extension ContributionStore {
    /// Of each therapy and each questionnaire version the newest value of its lead scale, the first from the begin on,
    /// and the newest before the last session; the earliest first. Each is one look-up in an index, so that years of
    /// sheets cost no more than months. PostgreSQL has to make the places first: taken into the joins, it would read
    /// all sheets of the clinic beside them (D6).
    /// - Parameter leads: the lead scale of each questionnaire by its key. Neither list is empty.
    static func abridged(
        _ frames: [SeriesFrame], leads: [(key: String, scale: String)], _ connection: borrowing Connection
    ) throws -> [(therapy: ID<Therapy>, point: ScorePoint)] {
        try connection.all(
            """
            WITH frames (therapy, begins, held) AS (\(sql: frameRows(frames))),
            leads (name, scale) AS (\(sql: leadRows(leads))),
            places AS\(hint: .takenIn) MATERIALIZED (
                SELECT frames.therapy, therapies.account_id AS account, leads.scale,
                    (SELECT contributions.id \(sql: lead) ORDER BY completed_at DESC, contributions.id DESC LIMIT 1) AS newest,
                    (SELECT contributions.id \(sql: lead) AND completed_at >= frames.begins
                        ORDER BY completed_at, contributions.id LIMIT 1) AS first,
                    \(sql: before(frames)) AS before
                FROM frames JOIN therapies ON therapies.id = frames.therapy\(hint: .inThisOrder)
                JOIN leads ON TRUE JOIN questionnaires ON questionnaires.key = leads.name
            )
            SELECT \(sql: StoredScore.columns), contributions.completed_at, questionnaires.key, places.therapy
            FROM places\(hint: .inThisOrder) JOIN contributions ON contributions.account_id = places.account
                AND contributions.id IN (places.newest, places.first, places.before)
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id AND contribution_scores.scale = places.scale
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE places.newest IS NOT NULL
            ORDER BY contributions.completed_at, contributions.id
            """
        ) { row in (therapy: try row["therapy"], point: try ScorePoint(row: row)) }
    }

    /// A sheet of the therapy and version in question, with a value of the lead scale.
    private static let lead: SQL = """
        FROM contributions\(hint: .inThisOrder) JOIN contribution_scores
            ON contribution_scores.account_id = contributions.account_id
            AND contribution_scores.contribution_id = contributions.id
        WHERE contributions.therapy_id = frames.therapy AND contributions.questionnaire_id = questionnaires.id
        AND contribution_scores.scale = leads.scale AND contribution_scores.value IS NOT NULL
        """

    /// The newest before the last session, where that is asked.
    private static func before(_ frames: [SeriesFrame]) -> SQL {
        if frames.allSatisfy({ $0.held == .distantPast }) { return "CAST(NULL AS TEXT)" }
        return """
            (SELECT contributions.id \(sql: lead) AND completed_at < frames.held
                ORDER BY completed_at DESC, contributions.id DESC LIMIT 1)
            """
    }

    private static func frameRows(_ frames: [SeriesFrame]) -> SQL {
        var sql: SQL = "VALUES (CAST('' AS TEXT), CAST(0 AS BIGINT), CAST(0 AS BIGINT))"
        for frame in frames { sql = "\(sql: sql), (\(frame.therapy), \(frame.begins), \(frame.held))" }
        return sql
    }

    private static func leadRows(_ leads: [(key: String, scale: String)]) -> SQL {
        var sql: SQL = "VALUES (CAST('' AS TEXT), CAST('' AS TEXT))"
        for lead in leads { sql = "\(sql: sql), (\(lead.key), \(lead.scale))" }
        return sql
    }
}
