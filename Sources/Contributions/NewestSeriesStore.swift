import Database
import Questionnaires
import Records
import Therapies
import Wire

/// One scale of a questionnaire in one therapy.
struct SeriesPlace: Sendable {
    let therapy: ID<Therapy>
    /// The questionnaire's, over all its versions.
    let key: String
    let scale: String
}

// The values that small courses are drawn from, for many therapies at once.
extension ContributionStore {
    /// The newest values of each place, the earliest first: of each version as many as asked for, so that years of
    /// sheets cost no more than months.
    /// - Parameter places: not empty.
    static func newest(
        _ places: [SeriesPlace], most: Int, _ connection: borrowing Connection
    ) throws -> [(therapy: ID<Therapy>, point: ScorePoint)] {
        try connection.all(
            """
            WITH places AS (SELECT CAST('' AS TEXT) AS therapy, CAST('' AS TEXT) AS name, CAST('' AS TEXT) AS scale
                UNION ALL \(sql: placeRows(places)))
            SELECT \(sql: StoredScore.columns), contributions.completed_at, questionnaires.key, places.therapy
            FROM places\(hint: .inThisOrder) JOIN therapies ON therapies.id = places.therapy\(hint: .inThisOrder)
            JOIN questionnaires ON questionnaires.key = places.name\(hint: .inThisOrder)
            JOIN contributions ON contributions.account_id = therapies.account_id AND contributions.id IN (
                SELECT contributions.id FROM contributions\(hint: .inThisOrder) JOIN contribution_scores
                    ON contribution_scores.account_id = contributions.account_id
                    AND contribution_scores.contribution_id = contributions.id
                WHERE contributions.therapy_id = places.therapy AND contributions.questionnaire_id = questionnaires.id
                AND contribution_scores.scale = places.scale AND contribution_scores.value IS NOT NULL
                ORDER BY contributions.completed_at DESC, contributions.id DESC LIMIT \(most))\(hint: .inThisOrder)
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id AND contribution_scores.scale = places.scale
            ORDER BY contributions.completed_at, contributions.id
            """
        ) { row in (therapy: try row["therapy"], point: try ScorePoint(row: row)) }
    }

    private static func placeRows(_ places: [SeriesPlace]) -> SQL {
        var sql: SQL = "VALUES (\(places[0].therapy), \(places[0].key), \(places[0].scale))"
        for place in places.dropFirst() {
            sql = "\(sql: sql), (\(place.therapy), \(place.key), \(place.scale))"
        }
        return sql
    }
}
