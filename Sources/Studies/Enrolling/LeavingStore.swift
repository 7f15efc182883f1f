import Database
import Records
import Wire

/// Every statement about leaving a study.
package enum LeavingStore {
    /// Ends a participation at once; an undecided or declined request is deleted.
    package static func leave(
        _ enrolment: EnrolmentRecord, at now: Instant, _ connection: borrowing Connection
    )
        throws
    {
        try connection.run(
            "DELETE FROM enrolments WHERE id = \(enrolment.id) AND state IN ('pending', 'declined')")
        let left = try connection.run(
            """
            UPDATE enrolments SET state = 'left', left_at = \(now),
                left_after = \(sql: EnrolmentStore.lastChoice(of: enrolment.accountID))
            WHERE id = \(enrolment.id) AND state = 'enrolled'
            """)
        // Leaving again must not touch the group of another study.
        if left > 0 { try GroupStore.release(enrolment.id, connection) }
    }

    /// Every version of the questionnaires of a study.
    static func versions(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<QuestionnaireVersion>] {
        try connection.all(
            """
            SELECT DISTINCT questionnaires.id FROM questionnaires JOIN study_questionnaires
            ON questionnaire_key = questionnaires.key WHERE study_id = \(study)
            """
        ) { row in try row[0] }
    }

    private static func left(_ study: ID<Study>, by account: ID<Account>) -> SQL {
        "SELECT id FROM enrolments WHERE account_id = \(account) AND study_id = \(study) AND state = 'left'"
    }

    /// Notes that what was answered is gone, and takes along what was noted with buttons, and what shows when it was to be
    /// answered: dates that leads entered, times of one's own, what devices said of reminders.
    static func noteErasure(
        of account: ID<Account>, in study: ID<Study>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let past = left(study, by: account)
        try connection.run("DELETE FROM study_events WHERE enrolment_id IN (\(sql: past))")
        try connection.run("DELETE FROM study_anchors WHERE enrolment_id IN (\(sql: past))")
        try connection.run("DELETE FROM notification_plans WHERE enrolment_id IN (\(sql: past))")
        try connection.run("DELETE FROM study_reminders WHERE enrolment_id IN (\(sql: past))")
        try UnmaskingStore.forget(account, leaving: study, connection)
        try connection.run(
            """
            UPDATE enrolments SET erased_at = coalesce(erased_at, \(now))
            WHERE account_id = \(account) AND study_id = \(study) AND state = 'left'
            """)
    }
}
