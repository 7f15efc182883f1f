import Database
import Records
import Studies
import Wire
import Wording

/// Every statement about refused sheets of studies; of those participants alone whose data may be told.
enum StudyQuarantineStore {
    /// What waits for a decision in a study, the newest first.
    static func waiting(in study: ID<Study>, _ connection: borrowing Connection) throws -> [QuarantinedRecord]
    {
        try connection.all(
            """
            SELECT * FROM quarantined_sheets WHERE decision IS NULL AND enrolment_id IN
                (SELECT id FROM enrolments WHERE study_id = \(study) AND \(sql: EnrolmentStore.told))
            ORDER BY received_at DESC, id
            """)
    }

    /// What was discarded and can still be brought back, the last one first.
    static func discarded(
        in study: ID<Study>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [QuarantinedRecord] {
        try connection.all(
            """
            SELECT * FROM quarantined_sheets WHERE decision = 'discarded' AND length(sheet) > 0
            AND decided_at > \(now.adding(days: -Quarantine.returnDays)) AND enrolment_id IN
                (SELECT id FROM enrolments WHERE study_id = \(study) AND \(sql: EnrolmentStore.told))
            ORDER BY decided_at DESC, id
            """)
    }

    static func find(
        _ id: ID<QuarantinedRecord>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> QuarantinedRecord? {
        try connection.first(
            """
            SELECT * FROM quarantined_sheets WHERE id = \(id) AND enrolment_id IN
                (SELECT id FROM enrolments WHERE study_id = \(study) AND \(sql: EnrolmentStore.told))
            """)
    }

    /// Notes the decision. Admitted, the sheet stands among the others and goes from here; discarded, it waits to be
    /// brought back.
    /// - Throws: `Problem.conflict` when somebody has decided already, or its data may not be told any more.
    static func decide(
        _ decision: QuarantinedRecord.Decision, _ id: ID<QuarantinedRecord>, in study: ID<Study>,
        by account: ID<Account>,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        let isKept = decision == .discarded
        let nothing: [UInt8] = []
        let changed = try connection.run(
            """
            UPDATE quarantined_sheets SET decision = \(decision), decided_at = \(now), decided_by = \(account),
                sheet = CASE WHEN \(isKept) = 1 THEN sheet ELSE \(nothing) END
            WHERE id = \(id) AND decision IS NULL AND enrolment_id IN
                (SELECT id FROM enrolments WHERE study_id = \(study) AND \(sql: EnrolmentStore.told))
            """)
        if changed == 0 { throw Problem.conflict(Message("quarantine.decided")) }
    }

    /// Lays a discarded sheet before the leads again.
    /// - Throws: `Problem.notFound` for one that is not theirs, `.gone` after its 30 days, `.conflict` for one that was
    ///   admitted, or that nobody has decided about.
    static func bringBack(
        _ id: ID<QuarantinedRecord>, in study: ID<Study>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let record = try find(id, in: study, connection) else { throw Problem.notFound }
        let changed = try connection.run(
            """
            UPDATE quarantined_sheets SET decision = NULL, decided_at = NULL, decided_by = NULL
            WHERE id = \(id) AND decision = 'discarded'
            AND decided_at > \(now.adding(days: -Quarantine.returnDays)) AND length(sheet) > 0
            """)
        if changed > 0 { return }
        throw record.decision == .discarded
            ? Problem.gone(Message("quarantine.gone")) : .conflict(Message("quarantine.not_discarded"))
    }

    /// What somebody sent in for a study, whenever they took part.
    static func erase(
        of account: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM quarantined_sheets WHERE account_id = \(account) AND enrolment_id IN
                (SELECT id FROM enrolments WHERE study_id = \(study))
            """)
    }

    /// How many refused sheets of a study wait for a decision of its leads.
    static func held(in study: ID<Study>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM quarantined_sheets WHERE decision IS NULL AND enrolment_id IN
                (SELECT id FROM enrolments WHERE study_id = \(study) AND \(sql: EnrolmentStore.told))
            """)
    }
}
