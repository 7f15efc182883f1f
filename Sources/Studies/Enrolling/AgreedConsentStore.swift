import Database
import Records
import Wire
import Wording

/// Every statement about what was agreed to. A row is never changed, and goes only with its person.
package enum AgreedConsentStore {
    static func insert(
        _ version: Int, of enrolment: ID<Enrolment>, _ way: AgreedConsent.Way, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO enrolment_consents (enrolment_id, version, agreed_at, way)
            VALUES (\(enrolment), \(version), \(now), \(way))
            """)
    }

    /// The version that was agreed to at a moment; before the first one that one: paper of the day of the consent is
    /// filled in before it is noted.
    package static func version(
        of enrolment: ID<Enrolment>, at moment: Instant, _ connection: borrowing Connection
    ) throws -> Int? {
        // Whole seconds: phones send no more.
        let second = Instant(milliseconds: moment.seconds * 1000 + 999)
        return try connection.value(
            """
            SELECT version FROM enrolment_consents WHERE enrolment_id = \(enrolment)
            ORDER BY CASE WHEN agreed_at <= \(second) THEN version ELSE -version END DESC LIMIT 1
            """)
    }

    private static let found: SQL = """
        FROM enrolment_consents JOIN enrolments ON enrolments.id = enrolment_id
        JOIN study_consents ON study_consents.study_id = enrolments.study_id
            AND study_consents.version = enrolment_consents.version
        """

    private static let columns: SQL = "enrolment_id, codename, enrolment_consents.version, agreed_at, way"

    private static func record(_ row: borrowing Row, _ text: LocalizedText?) throws -> AgreedConsent {
        AgreedConsent(
            enrolment: try row[0], codename: try row[1], version: try row[2], agreedAt: try row[3],
            way: try row[4], text: text)
    }

    /// A person's consents in a study, the newest first; also those under earlier codenames.
    package static func all(
        of account: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [AgreedConsent] {
        try connection.all(
            """
            SELECT \(sql: columns), text_de, text_en, text_other \(sql: found)
            WHERE account_id = \(account) AND enrolments.study_id = \(study)
            ORDER BY agreed_at DESC, enrolment_consents.version DESC, enrolment_id
            """
        ) { row in try record(row, try LocalizedText(row: row, "text")) }
    }

    /// All consents in a study, the newest first; also after leaving, whatever became of the answers.
    package static func all(in study: ID<Study>, _ connection: borrowing Connection) throws -> [AgreedConsent]
    {
        try connection.all(
            """
            SELECT \(sql: columns) \(sql: found) WHERE enrolments.study_id = \(study)
            ORDER BY agreed_at DESC, enrolment_consents.version DESC, enrolment_id
            """
        ) { row in try record(row, nil) }
    }

    /// The text of a version.
    package static func text(
        _ version: Int, of study: ID<Study>, _ connection: borrowing Connection
    ) throws -> LocalizedText? {
        try connection.first(
            """
            SELECT text_de, text_en, text_other FROM study_consents
            WHERE study_id = \(study) AND version = \(version)
            """
        ) { row in try LocalizedText(row: row, "text") }
    }

    /// When a version was written.
    package static func written(
        _ version: Int, of study: ID<Study>, _ connection: borrowing Connection
    ) throws -> Instant? {
        try connection.value(
            "SELECT written_at FROM study_consents WHERE study_id = \(study) AND version = \(version)")
    }

    /// The studies that a person has left and not come back to, the last one first.
    package static func left(
        by account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Study>] {
        try connection.all(
            """
            SELECT study_id FROM enrolments WHERE account_id = \(account) AND state = 'left'
            AND NOT EXISTS (SELECT 1 FROM enrolments AS present WHERE present.account_id = enrolments.account_id
                AND present.study_id = enrolments.study_id AND present.state <> 'left')
            GROUP BY study_id ORDER BY max(left_at) DESC, study_id
            """
        ) { row in try row[0] }
    }

    /// Participants that a newer text is told to, and people that have asked to take part, with accounts of their own.
    static func asked(in study: ID<Study>, _ connection: borrowing Connection) throws -> [ID<Account>] {
        try connection.all(
            """
            SELECT account_id FROM enrolments WHERE study_id = \(study) AND state IN ('pending', 'enrolled')
            AND signed_on IS NULL ORDER BY account_id
            """
        ) { row in try row[0] }
    }
}
