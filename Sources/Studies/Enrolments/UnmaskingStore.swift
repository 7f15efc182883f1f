import Database
import Records
import Wire

/// The statements about emergency unmaskings (ST-10).
package enum UnmaskingStore {
    /// A line of the log.
    package struct Line: Sendable {
        package let id: ID<Line>
        /// Nil for participants of whom is told nothing any more, like their account and the reason.
        package let codename: String?
        package let participant: ID<Account>?
        /// Sealed for the participant.
        package let reason: [UInt8]?
        /// Nil once the account is gone.
        package let lead: ID<Account>?
        package let at: Instant
    }

    /// The place a reason is sealed for.
    package static func place(_ id: ID<Line>) -> SealContext {
        SealContext("study_unmaskings", id.text, "reason")
    }

    package static func insert(
        _ id: ID<Line>, of enrolment: EnrolmentRecord, by lead: ID<Account>, because reason: [UInt8],
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO study_unmaskings (id, study_id, enrolment_id, account_id, reason, unmasked_at)
            VALUES (\(id), \(enrolment.studyID), \(enrolment.id), \(lead), \(reason), \(now))
            """)
    }

    /// What a lead noted of a participant since a moment, the latest first.
    package static func notes(
        of enrolment: ID<Enrolment>, by lead: ID<Account>, since moment: Instant,
        _ connection: borrowing Connection
    ) throws -> [(id: ID<Line>, reason: [UInt8]?, at: Instant)] {
        try connection.all(
            """
            SELECT id, reason, unmasked_at FROM study_unmaskings
            WHERE enrolment_id = \(enrolment) AND account_id = \(lead) AND unmasked_at >= \(moment)
            ORDER BY unmasked_at DESC, id
            """
        ) { row in (id: try row[0], reason: try row[1], at: try row[2]) }
    }

    /// The whole log, the latest first.
    package static func all(in study: ID<Study>, _ connection: borrowing Connection) throws -> [Line] {
        try connection.all(
            """
            SELECT study_unmaskings.id, codename, told.account_id, CASE WHEN codename IS NOT NULL THEN reason END,
                study_unmaskings.account_id, unmasked_at
            FROM study_unmaskings LEFT JOIN
                (SELECT id, codename, account_id FROM enrolments WHERE study_id = \(study) AND \(sql: EnrolmentStore.told)) AS told
                ON told.id = enrolment_id
            WHERE study_unmaskings.study_id = \(study) ORDER BY unmasked_at DESC, study_unmaskings.id
            """
        ) { row in
            Line(
                id: try row[0], codename: try row[1], participant: try row[2], reason: try row[3],
                lead: try row[4], at: try row[5])
        }
    }

    package static func count(in study: ID<Study>, _ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM study_unmaskings WHERE study_id = \(study)")
    }

    /// Those of one participation, the earliest first.
    static func all(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [(id: ID<Line>, reason: [UInt8]?, at: Instant)] {
        try connection.all(
            """
            SELECT id, reason, unmasked_at FROM study_unmaskings WHERE enrolment_id = \(enrolment)
            ORDER BY unmasked_at, id
            """
        ) { row in (id: try row[0], reason: try row[1], at: try row[2]) }
    }

    /// Leaves the lines of an account that is deleted without participant and reason.
    static func forget(_ account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE study_unmaskings SET enrolment_id = NULL, reason = NULL
            WHERE enrolment_id IN (SELECT id FROM enrolments WHERE account_id = \(account))
            """)
    }

    /// The same of the participations in a study that were left with all answers removed.
    static func forget(
        _ account: ID<Account>, leaving study: ID<Study>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE study_unmaskings SET enrolment_id = NULL, reason = NULL WHERE enrolment_id IN
                (SELECT id FROM enrolments WHERE account_id = \(account) AND study_id = \(study) AND state = 'left')
            """)
    }
}
