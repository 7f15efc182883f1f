import Database
import Wire

/// Every statement about who takes part in studies.
enum EnrolmentStore {
    static func find(
        in study: String, of account: String, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord? {
        try connection.first("SELECT * FROM enrolments WHERE study_id = \(study) AND account_id = \(account)")
    }

    static func find(
        _ codename: String, in study: String, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord? {
        try connection.first("SELECT * FROM enrolments WHERE study_id = \(study) AND codename = \(codename)")
    }

    /// All of a study, those who asked last first.
    static func all(in study: String, _ connection: borrowing Connection) throws -> [EnrolmentRecord] {
        try connection.all("SELECT * FROM enrolments WHERE study_id = \(study) ORDER BY asked_at DESC, id")
    }

    static func all(of account: String, _ connection: borrowing Connection) throws -> [EnrolmentRecord] {
        try connection.all("SELECT * FROM enrolments WHERE account_id = \(account) ORDER BY asked_at, id")
    }

    /// Whose data may be told: those who take part or left their data behind, without those who have withdrawn their
    /// consent to research since. Enforced here, at the moment it is asked.
    static func consenting(in study: String, _ connection: borrowing Connection) throws -> [EnrolmentRecord] {
        try connection.all(
            """
            SELECT * FROM enrolments WHERE study_id = \(study) AND state IN ('enrolled', 'left')
            AND coalesce((SELECT research_consent FROM consent_choices
                WHERE consent_choices.account_id = enrolments.account_id AND changed_at > consented_at
                ORDER BY consent_choices.id DESC LIMIT 1), 1) = 1
            ORDER BY codename
            """)
    }

    /// - Returns: false when the codename is taken in this study.
    static func insert(
        id: String, in study: String, account: String, codename: String, isPending: Bool,
        consent version: Int,
        timezone: String, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let state = isPending ? EnrolmentRecord.State.pending : .enrolled
        do {
            // Who left or was declined comes back as somebody new.
            try connection.run(
                """
                INSERT INTO enrolments (id, study_id, account_id, codename, state, asked_at, enrolled_at,
                    consent_version, consented_at, timezone)
                VALUES (\(id), \(study), \(account), \(codename), \(state), \(now), \(isPending ? nil : now),
                    \(version), \(now), \(timezone))
                ON CONFLICT (study_id, account_id) DO UPDATE SET state = excluded.state,
                    enrolled_at = excluded.enrolled_at, left_at = NULL, asked_at = excluded.asked_at,
                    consent_version = excluded.consent_version, consented_at = excluded.consented_at,
                    timezone = excluded.timezone
                WHERE enrolments.state IN ('left', 'declined')
                """)
        } catch let error as DatabaseError where error.violates("enrolments.codename") {
            return false
        }
        return true
    }

    /// - Throws: `Problem.conflict` when it was decided already.
    static func decide(
        _ id: String, isAccepted: Bool, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let state = isAccepted ? EnrolmentRecord.State.enrolled : .declined
        let changed = try connection.run(
            """
            UPDATE enrolments SET state = \(state), enrolled_at = \(isAccepted ? now : nil)
            WHERE id = \(id) AND state = 'pending'
            """)
        if changed == 0 { throw Problem.conflict(Message("studies.decided")) }
    }

    /// Ends taking part at once; who had only asked is forgotten.
    static func leave(_ enrolment: EnrolmentRecord, at now: Instant, _ connection: borrowing Connection)
        throws
    {
        try connection.run("DELETE FROM enrolments WHERE id = \(enrolment.id) AND state = 'pending'")
        try connection.run(
            "UPDATE enrolments SET state = 'left', left_at = \(now) WHERE id = \(enrolment.id) AND state = 'enrolled'"
        )
    }

    /// Removes what somebody answered in a study.
    static func eraseAnswers(of account: String, in study: String, _ connection: borrowing Connection) throws
    {
        try connection.run("DELETE FROM contributions WHERE account_id = \(account) AND study_id = \(study)")
    }

    static func noteActivity(_ id: String, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE enrolments SET last_activity_at = max(coalesce(last_activity_at, 0), \(now)) WHERE id = \(id)"
        )
    }
}
