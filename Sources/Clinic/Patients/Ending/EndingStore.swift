import Database
import Therapies
import Wire

/// Every statement that takes back what an end of a therapy, or of a wrong pairing, leaves open.
enum EndingStore {
    /// What would be taken back: unanswered assignments that are not over, interventions nobody has opened, sessions to
    /// come.
    struct Open: Sendable {
        let assignments: [String]
        let interventions: [String]
        let sessions: [String]
    }

    static func open(in therapy: String, at now: Instant, _ connection: borrowing Connection) throws -> Open {
        let assignments: [String] = try connection.all(
            """
            SELECT id FROM assignments WHERE therapy_id = \(therapy) AND withdrawn_at IS NULL
            AND due_at > \(now) AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """
        ) { row in try row[0] }
        let interventions: [String] = try connection.all(
            """
            SELECT id FROM interventions WHERE therapy_id = \(therapy) AND withdrawn_at IS NULL
            AND opened_at IS NULL AND completed_at IS NULL
            """
        ) { row in try row[0] }
        let sessions: [String] = try connection.all(
            """
            SELECT id FROM therapy_sessions WHERE therapy_id = \(therapy) AND starts_at > \(now)
            AND coalesce(mark, 'planned') = 'planned'
            """
        ) { row in try row[0] }
        return Open(assignments: assignments, interventions: interventions, sessions: sessions)
    }

    /// Erases what came in from an account that should not have been paired, and parts the two. What the therapist had
    /// given stays for the right person, unopened.
    static func unpair(
        _ therapy: Therapy, pairedOn day: LocalDate, _ connection: borrowing Connection
    ) throws {
        let (id, account) = (therapy.id, therapy.accountID)
        // Given by rules because of what the wrong person had said.
        try connection.run(
            """
            DELETE FROM interventions WHERE therapy_id = \(id) AND id IN
                (SELECT intervention_id FROM rule_firings WHERE therapy_id = \(id))
            """)
        try connection.run("DELETE FROM alerts WHERE therapy_id = \(id)")
        try connection.run("DELETE FROM rule_firings WHERE therapy_id = \(id)")
        try connection.run("DELETE FROM rule_evidence WHERE therapy_id = \(id)")
        try connection.run("DELETE FROM quarantined_sheets WHERE therapy_id = \(id)")
        try connection.run("DELETE FROM contributions WHERE therapy_id = \(id)")
        try connection.run(
            """
            DELETE FROM answer_drafts WHERE account_id = \(account)
            AND subject_id IN (SELECT id FROM assignments WHERE therapy_id = \(id))
            """)
        try connection.run("DELETE FROM assignments WHERE therapy_id = \(id) AND source <> 'therapist'")
        try connection.run(
            """
            UPDATE assignments SET fetched_at = NULL, notified_at = NULL, opened_at = NULL
            WHERE therapy_id = \(id)
            """)
        try connection.run(
            "DELETE FROM therapy_sessions WHERE therapy_id = \(id) AND appointment_id IS NOT NULL")
        try connection.run("DELETE FROM appointments WHERE therapy_id = \(id)")
        try connection.run(
            "UPDATE interventions SET opened_at = NULL, completed_at = NULL WHERE therapy_id = \(id)")
        // The group came with the person.
        try connection.run("UPDATE enrolments SET therapy_id = NULL WHERE therapy_id = \(id)")
        try connection.run("UPDATE therapies SET arm = NULL WHERE id = \(id)")
        // The begin was the day of pairing unless the therapist had said another.
        let start = therapy.startedOn == day ? nil : therapy.startedOn
        try connection.run(
            """
            UPDATE therapies SET account_id = NULL, paired_at = NULL, birth_date = NULL, gender = NULL,
                started_on = \(start), last_activity_at = NULL, dailies_until = NULL, dailies_zone = NULL
            WHERE id = \(id) AND ended_at IS NULL
            """)
    }
}
