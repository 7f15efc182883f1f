import Accounts
import Database
import Identity
import Records
import Web
import Wire

/// What gives cause for a message: every statement about it, over the tables of those who own them.
enum PushOccasionStore {
    /// Of assignments that are still to be told of, to devices that want it: not what is answered, taken back, or was shown
    /// already by a device that tells the time itself.
    private static let waiting: SQL = """
        assignments.withdrawn_at IS NULL AND notified_at IS NULL AND opened_at IS NULL AND contributions.id IS NULL
        AND therapies.ended_at IS NULL AND therapies.arm IS DISTINCT FROM 'no_app'
        AND push_subscriptions.ended_at IS NULL AND wants_prompts = 1 AND notify_questionnaires = 1
        """

    /// Assignments that have opened since, of everybody who wants to be called of them: not what was open before.
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
            AND assignments.due_at > \(now) AND \(sql: waiting)
            AND assignments.due_at > push_subscriptions.created_at
            AND CASE WHEN assigned_at > available_from THEN assigned_at ELSE available_from END
                >= push_subscriptions.created_at
            AND NOT EXISTS (SELECT 1 FROM push_messages WHERE subscription_id = push_subscriptions.id
                AND push_messages.kind = 'assignment' AND subject = assignments.id)
            ORDER BY assignments.available_from, assignments.id
            """
        ) { row in try assignment(row) }
    }

    /// The same of those that were assigned since, in a window that had begun before. Of what is open of everybody who is called:
    /// by the time of assigning nothing is ordered.
    static func assigned(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        try connection.all(
            """
            SELECT push_subscriptions.id, assignments.id, assignments.available_from, assignments.due_at
            FROM push_subscriptions JOIN accounts ON accounts.id = push_subscriptions.account_id
            JOIN therapies ON therapies.account_id = push_subscriptions.account_id
            JOIN assignments\(hint: .index("assignments_therapy")) ON assignments.therapy_id = therapies.id
            LEFT JOIN contributions ON contributions.assignment_id = assignments.id
            WHERE assignments.assigned_at > \(earlier) AND assignments.available_from < assignments.assigned_at
            AND assignments.available_from <= \(now) AND assignments.due_at > \(now) AND \(sql: waiting)
            AND assignments.assigned_at >= push_subscriptions.created_at
            AND NOT EXISTS (SELECT 1 FROM push_messages WHERE subscription_id = push_subscriptions.id
                AND push_messages.kind = 'assignment' AND subject = assignments.id)
            ORDER BY assignments.assigned_at, assignments.id
            """
        ) { row in try assignment(row) }
    }

    private static func assignment(_ row: borrowing Row) throws -> PushMessageRow {
        let subject: ID<Assignment> = try row[1]
        return PushMessageRow(
            subscription: try row[0], kind: .assignment, subject: subject, due: try row[2],
            expires: try row[3])
    }

    private static let day: Int64 = 86_400
    private static let hour: Int64 = 3600

    private static let unopened: SQL = """
        interventions.opened_at IS NULL AND interventions.completed_at IS NULL AND interventions.withdrawn_at IS NULL
        AND therapies.ended_at IS NULL AND push_subscriptions.ended_at IS NULL
        AND wants_changes = 1 AND notify_interventions = 1
        """

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
            AND \(sql: unopened)
            AND interventions.assigned_at >= push_subscriptions.created_at
            AND NOT EXISTS (SELECT 1 FROM push_messages WHERE subscription_id = push_subscriptions.id
                AND push_messages.kind = 'change' AND subject = interventions.id)
            """
        ) { row in try change(row, of: Intervention.self) }
    }

    /// Of a subscription, what is new, and since when.
    private static func change<Subject>(
        _ row: borrowing Row, of type: Subject.Type
    ) throws -> PushMessageRow {
        let subject: ID<Subject> = try row[1]
        let at: Instant = try row[2]
        return PushMessageRow(
            subscription: try row[0], kind: .change, subject: subject, due: at,
            expires: at.adding(seconds: day))
    }

    private static let unseen: SQL = """
        notices.kind = 'consent_changed' AND notices.seen_at IS NULL
        AND push_subscriptions.ended_at IS NULL AND wants_changes = 1
        """

    /// That a study has a newer consent text, for a day.
    static func told(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        try connection.all(
            """
            SELECT push_subscriptions.id, notices.id, notices.made_at
            FROM push_subscriptions JOIN notices ON notices.account_id = push_subscriptions.account_id
            WHERE notices.made_at > \(earlier) AND notices.made_at <= \(now) AND \(sql: unseen)
            AND notices.made_at >= push_subscriptions.created_at
            AND NOT EXISTS (SELECT 1 FROM push_messages WHERE subscription_id = push_subscriptions.id
                AND push_messages.kind = 'change' AND subject = notices.id)
            """
        ) { row in try change(row, of: NoticeRecord.self) }
    }

    private static let coming: SQL = """
        appointments.deleted_at IS NULL AND therapies.ended_at IS NULL AND push_subscriptions.ended_at IS NULL
        AND wants_prompts = 1 AND notify_appointments = 1
        """

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
            AND appointments.starts_at > \(now) AND \(sql: coming)
            """
        ) { row in
            let appointment: ID<Appointment> = try row[1]
            let begin: Instant = try row[2]
            return PushMessageRow(
                subscription: try row[0], kind: .change, subject: reminder(of: appointment, at: begin),
                due: max(begin.adding(seconds: -hour), now), expires: begin)
        }
    }

    /// Moved to another time it is another reminder.
    private static func reminder(of appointment: ID<Appointment>, at begin: Instant) -> ID<Appointment> {
        ID(DerivedID.of("appointment", appointment, String(begin.seconds)))
    }

    // MARK: Still

    /// Whether a message is still wanted, by everything that could be said since it came into the queue. Whether a prompt is
    /// still asked of somebody follows from plans, and is not said here.
    static func isWanted(
        _ message: DuePushMessage, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        switch message.kind {
        case .assignment: try isWaiting(message, at: now, connection)
        case .prompt: try takesPrompts(message, connection)
        case .change:
            try isUnopened(message, connection) || isComing(message, connection)
                || isUnseen(message, connection)
        case .test: true
        }
    }

    private static func isWaiting(
        _ message: DuePushMessage, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM assignments JOIN therapies ON therapies.id = assignments.therapy_id
            JOIN push_subscriptions ON push_subscriptions.account_id = therapies.account_id
            JOIN accounts ON accounts.id = therapies.account_id
            LEFT JOIN contributions ON contributions.assignment_id = assignments.id
            WHERE assignments.id = \(message.subject) AND push_subscriptions.id = \(message.subscription)
            AND assignments.available_from <= \(now) AND assignments.due_at > \(now) AND \(sql: waiting)
            """)
    }

    private static func takesPrompts(
        _ message: DuePushMessage, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM push_subscriptions JOIN accounts ON accounts.id = push_subscriptions.account_id
            WHERE push_subscriptions.id = \(message.subscription) AND ended_at IS NULL AND wants_prompts = 1
            AND notify_questionnaires = 1
            """)
    }

    private static func isUnopened(
        _ message: DuePushMessage, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM interventions JOIN therapies ON therapies.id = interventions.therapy_id
            JOIN push_subscriptions ON push_subscriptions.account_id = therapies.account_id
            JOIN accounts ON accounts.id = therapies.account_id
            WHERE interventions.id = \(message.subject) AND push_subscriptions.id = \(message.subscription)
            AND \(sql: unopened)
            """)
    }

    private static func isUnseen(
        _ message: DuePushMessage, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM push_subscriptions JOIN notices ON notices.account_id = push_subscriptions.account_id
            WHERE notices.id = \(message.subject) AND push_subscriptions.id = \(message.subscription)
            AND \(sql: unseen)
            """)
    }

    /// A reminder names its appointment only together with its begin, which is when it expires.
    private static func isComing(
        _ message: DuePushMessage, _ connection: borrowing Connection
    ) throws -> Bool {
        let beginning: [ID<Appointment>] = try connection.all(
            """
            SELECT appointments.id FROM appointments JOIN therapies ON therapies.id = appointments.therapy_id
            JOIN push_subscriptions ON push_subscriptions.account_id = appointments.account_id
            JOIN accounts ON accounts.id = appointments.account_id
            WHERE appointments.account_id = \(message.account) AND push_subscriptions.id = \(message.subscription)
            AND appointments.starts_at = \(message.expires) AND \(sql: coming)
            """
        ) { row in try row[0] }
        return beginning.contains { reminder(of: $0, at: message.expires).text == message.subject }
    }
}
