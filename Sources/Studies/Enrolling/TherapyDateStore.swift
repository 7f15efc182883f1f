import Database
import Records
import Wire

/// Every statement about participants whose therapies' dates a study may follow.
enum TherapyDateStore {
    /// Those that take part, have agreed to a text that says it, and let their data be disclosed.
    private static let followed: SQL = """
        SELECT * FROM enrolments WHERE state = 'enrolled' AND \(sql: EnrolmentStore.told) AND EXISTS (
            SELECT 1 FROM study_consents WHERE study_consents.study_id = enrolments.study_id
            AND study_consents.version = enrolments.consent_version AND session_dates = 1)
        """

    /// Whether the text that a participant has agreed to says it of every session.
    static func hasAgreedToSessions(
        _ enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM enrolments JOIN study_consents ON study_consents.study_id = enrolments.study_id
            AND study_consents.version = enrolments.consent_version AND every_session = 1
            WHERE enrolments.id = \(enrolment)
            """)
    }

    static func enrolments(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [EnrolmentRecord] {
        try connection.all("\(sql: followed) AND account_id = \(account) ORDER BY id")
    }

    static func enrolments(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [EnrolmentRecord] {
        try connection.all("\(sql: followed) AND study_id = \(study) ORDER BY id")
    }
}
