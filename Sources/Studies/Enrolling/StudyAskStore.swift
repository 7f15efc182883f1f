import Database
import Records
import Wire

/// Statements about studies' questions beside questionnaires: newer consent texts, measurements to tick again.
package enum StudyAskStore {
    package struct Ask: Sendable {
        package let study: ID<Study>
        /// The stored title, and the name used without one.
        package let title: LocalizedText
        package let name: String
        package let isConsentNewer: Bool
        package let hasEarlierTicks: Bool
    }

    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws -> [Ask] {
        try connection.all(
            """
            SELECT id, name, title_de, title_en, title_other, is_newer, has_earlier FROM (
                SELECT studies.id, name, title_de, title_en, title_other, enrolled_at,
                    CASE WHEN consent_version < (SELECT max(version) FROM study_consents
                        WHERE study_consents.study_id = studies.id) THEN 1 ELSE 0 END AS is_newer,
                    CASE WHEN studies.measurements <> '' AND enrolments.measurements <> ''
                        AND measurements_sentence < \(StudyMeasures.sentence) THEN 1 ELSE 0 END AS has_earlier
                FROM enrolments JOIN studies ON studies.id = study_id
                WHERE account_id = \(account) AND state IN ('pending', 'enrolled') AND archived_at IS NULL) AS own
            WHERE is_newer + has_earlier > 0 ORDER BY enrolled_at, id
            """
        ) { row in
            Ask(
                study: try row[0], title: try LocalizedText(row: row, "title"), name: try row[1],
                isConsentNewer: try row[5], hasEarlierTicks: try row[6])
        }
    }
}
