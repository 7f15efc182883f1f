import Database
import Records
import Wire

/// Every statement about consents given. A row is never changed, and is erased only with its person.
package enum AgreedConsentStore {
    static func insert(
        _ version: Int, of enrolment: ID<Enrolment>, _ way: AgreedConsent.Way, isTold: Bool?,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO enrolment_consents (enrolment_id, version, agreed_at, way, version_told)
            VALUES (\(enrolment), \(version), \(now), \(way), \(isTold))
            """)
    }

    /// The version agreed to at a moment; for paper filled in before the consent was noted, the first one.
    package static func version(
        of enrolment: ID<Enrolment>, at moment: Instant, _ connection: borrowing Connection
    ) throws -> Int? {
        // Whole seconds, the precision of phones.
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

    private static let columns: SQL = """
        enrolment_id, codename, enrolment_consents.version, agreed_at, way, version_told
        """

    private static func record(_ row: borrowing Row, _ text: LocalizedText?) throws -> AgreedConsent {
        AgreedConsent(
            enrolment: try row[0], codename: try row[1], version: try row[2], agreedAt: try row[3],
            way: try row[4], isVersionTold: try row[5], text: text)
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

    /// All consents in a study, the newest first; also after leaving, whether or not the answers were removed.
    package static func all(in study: ID<Study>, _ connection: borrowing Connection) throws -> [AgreedConsent]
    {
        try connection.all(
            """
            SELECT \(sql: columns) \(sql: found) WHERE enrolments.study_id = \(study)
            ORDER BY agreed_at DESC, enrolment_consents.version DESC, enrolment_id
            """
        ) { row in try record(row, nil) }
    }

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

    /// The studies that a person has left and not rejoined, the latest first.
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

    /// Participants to be told of a newer text, and people who have asked to take part, with accounts of their own.
    static func asked(in study: ID<Study>, _ connection: borrowing Connection) throws -> [ID<Account>] {
        try connection.all(
            """
            SELECT account_id FROM enrolments WHERE study_id = \(study) AND state IN ('pending', 'enrolled')
            AND signed_on IS NULL ORDER BY account_id
            """
        ) { row in try row[0] }
    }
}

extension StudyStore {
    /// The versions of what is agreed to, the newest first, and how many agreements are noted to each: the rows that the consent log lists.
    package static func consents(
        _ id: ID<Study>, _ connection: borrowing Connection
    ) throws -> [(version: Int, text: LocalizedText, writtenAt: Instant, agreed: Int)] {
        try connection.all(
            """
            SELECT version, text_de, text_en, text_other, written_at, (SELECT count(*) FROM enrolment_consents
                JOIN enrolments ON enrolments.id = enrolment_id WHERE enrolments.study_id = study_consents.study_id
                AND enrolment_consents.version = study_consents.version)
            FROM study_consents WHERE study_id = \(id) ORDER BY version DESC
            """
        ) { row in
            let text = try LocalizedText(row: row, "text")
            return (version: try row[0], text: text, writtenAt: try row["written_at"], agreed: try row[5])
        }
    }
}
