import Database
import Identity
import Records
import Web
import Wire

/// What gives cause for a message: every statement about it, over the tables of those who own them.
enum PushOccasionStore {
    /// Assignments that have opened since, of everybody who wants to be called of them: not what was open before, is answered,
    /// or was shown already by a device that tells the time itself.
    static func opened(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        try connection.all(
            """
            SELECT push_subscriptions.id, assignments.id, assignments.available_from, assignments.due_at
            FROM assignments JOIN therapies ON therapies.id = assignments.therapy_id
            JOIN push_subscriptions ON push_subscriptions.account_id = therapies.account_id
            JOIN accounts ON accounts.id = therapies.account_id
            LEFT JOIN contributions ON contributions.assignment_id = assignments.id
            WHERE assignments.available_from > \(earlier) AND assignments.available_from <= \(now)
            AND assignments.due_at > \(now) AND assignments.withdrawn_at IS NULL AND notified_at IS NULL
            AND opened_at IS NULL AND contributions.id IS NULL AND therapies.ended_at IS NULL
            AND therapies.arm IS DISTINCT FROM 'no_app' AND push_subscriptions.ended_at IS NULL
            AND wants_prompts = 1 AND notify_questionnaires = 1
            AND assignments.due_at > push_subscriptions.created_at
            AND CASE WHEN assigned_at > available_from THEN assigned_at ELSE available_from END
                >= push_subscriptions.created_at
            AND NOT EXISTS (SELECT 1 FROM push_messages WHERE subscription_id = push_subscriptions.id
                AND push_messages.kind = 'assignment' AND subject = assignments.id)
            ORDER BY assignments.available_from, assignments.id
            """
        ) { row in
            let assignment: ID<Assignment> = try row[1]
            return PushMessageRow(
                subscription: try row[0], kind: .assignment, subject: assignment, due: try row[2],
                expires: try row[3])
        }
    }

    private static let day: Int64 = 86_400
    private static let hour: Int64 = 3600

    /// Exercises that were given since, for a day.
    static func given(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        try connection.all(
            """
            SELECT push_subscriptions.id, interventions.id, interventions.assigned_at
            FROM interventions JOIN therapies ON therapies.id = interventions.therapy_id
            JOIN push_subscriptions ON push_subscriptions.account_id = therapies.account_id
            JOIN accounts ON accounts.id = therapies.account_id
            WHERE interventions.assigned_at > \(earlier) AND interventions.assigned_at <= \(now)
            AND interventions.opened_at IS NULL AND interventions.withdrawn_at IS NULL
            AND therapies.ended_at IS NULL AND push_subscriptions.ended_at IS NULL
            AND wants_changes = 1 AND notify_interventions = 1
            AND interventions.assigned_at >= push_subscriptions.created_at
            AND NOT EXISTS (SELECT 1 FROM push_messages WHERE subscription_id = push_subscriptions.id
                AND push_messages.kind = 'change' AND subject = interventions.id)
            """
        ) { row in
            let given: ID<Intervention> = try row[1]
            let at: Instant = try row[2]
            return PushMessageRow(
                subscription: try row[0], kind: .change, subject: given, due: at,
                expires: at.adding(seconds: day))
        }
    }

    /// An hour before appointments; nothing once they have begun.
    static func appointments(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        let (from, until) = (earlier.adding(seconds: hour), now.adding(seconds: hour))
        return try connection.all(
            """
            SELECT push_subscriptions.id, appointments.id, appointments.starts_at
            FROM appointments JOIN therapies ON therapies.id = appointments.therapy_id
            JOIN push_subscriptions ON push_subscriptions.account_id = appointments.account_id
            JOIN accounts ON accounts.id = appointments.account_id
            WHERE appointments.starts_at > \(from) AND appointments.starts_at <= \(until)
            AND appointments.starts_at > \(now) AND deleted_at IS NULL AND therapies.ended_at IS NULL
            AND push_subscriptions.ended_at IS NULL AND wants_prompts = 1 AND notify_appointments = 1
            """
        ) { row in
            let appointment: ID<Appointment> = try row[1]
            let begin: Instant = try row[2]
            // Moved to another time it is another reminder.
            let subject = DerivedID.of("appointment", appointment, String(begin.seconds))
            return PushMessageRow(
                subscription: try row[0], kind: .change, subject: ID<Appointment>(subject),
                due: max(begin.adding(seconds: -hour), now), expires: begin)
        }
    }

    /// Whether an assignment still waits for whom it was meant.
    static func isWaiting(_ assignment: String, at now: Instant, _ connection: borrowing Connection) throws
        -> Bool
    {
        try connection.count(
            """
            SELECT count(*) FROM assignments LEFT JOIN contributions ON contributions.assignment_id = assignments.id
            WHERE assignments.id = \(assignment) AND withdrawn_at IS NULL AND due_at > \(now)
            AND opened_at IS NULL AND notified_at IS NULL AND contributions.id IS NULL
            """) > 0
    }
}
