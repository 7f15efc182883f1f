import Accounts
import Agenda
import Database
import Records
import Web
import Wire

/// What gives cause for a message: every statement about it, over the tables of those who own them. When the queue is filled and
/// when a message is claimed it is asked by the same conditions.
enum PushOccasionStore {
    /// Assignments that are open and still to be told of, with the devices that want it.
    private static func asked(at now: Instant) -> SQL {
        """
        JOIN therapies ON therapies.id = assignments.therapy_id
        JOIN push_subscriptions ON push_subscriptions.account_id = therapies.account_id
        JOIN accounts ON accounts.id = therapies.account_id
        LEFT JOIN contributions ON contributions.assignment_id = assignments.id
        WHERE \(sql: AgendaStore.asked) AND push_subscriptions.ended_at IS NULL
        AND wants_prompts = 1 AND notify_questionnaires = 1
        AND assignments.available_from <= \(now) AND assignments.due_at > \(now)
        """
    }

    /// Exercises that are still to be told of, with the devices that want it.
    private static let given: SQL = """
        JOIN therapies ON therapies.id = interventions.therapy_id
        JOIN push_subscriptions ON push_subscriptions.account_id = therapies.account_id
        JOIN accounts ON accounts.id = therapies.account_id
        WHERE \(sql: AgendaStore.given) AND push_subscriptions.ended_at IS NULL
        AND wants_changes = 1 AND notify_interventions = 1
        """

    /// Appointments with the devices that want to be reminded.
    private static let awaited: SQL = """
        JOIN therapies ON therapies.id = appointments.therapy_id
        JOIN push_subscriptions ON push_subscriptions.account_id = appointments.account_id
        JOIN accounts ON accounts.id = appointments.account_id
        WHERE \(sql: AgendaStore.awaited) AND push_subscriptions.ended_at IS NULL
        AND wants_prompts = 1 AND notify_appointments = 1
        """

    /// What a study tells of a newer consent text, with the devices that want it.
    private static let told: SQL = """
        JOIN notices ON notices.account_id = push_subscriptions.account_id
        WHERE notices.kind = 'consent_changed' AND notices.seen_at IS NULL
        AND push_subscriptions.ended_at IS NULL AND wants_changes = 1
        """

    // MARK: Filling

    /// Assignments that have opened since, of everybody who wants to be called of them: not what was open before.
    static func opened(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        try connection.all(
            """
            SELECT push_subscriptions.id, assignments.id, assignments.available_from, assignments.due_at
            FROM assignments \(sql: asked(at: now)) AND assignments.available_from > \(earlier)
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
            FROM assignments\(hint: .index("assignments_therapy")) \(sql: asked(at: now))
            AND assignments.assigned_at > \(earlier) AND assignments.available_from < assignments.assigned_at
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

    /// Exercises that were given since, for a day.
    static func given(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        try connection.all(
            """
            SELECT push_subscriptions.id, interventions.id, interventions.assigned_at
            FROM interventions \(sql: Self.given) AND interventions.assigned_at > \(earlier)
            AND interventions.assigned_at <= \(now) AND interventions.assigned_at >= push_subscriptions.created_at
            AND NOT EXISTS (SELECT 1 FROM push_messages WHERE subscription_id = push_subscriptions.id
                AND push_messages.kind = 'change' AND subject = interventions.id)
            """
        ) { row in try change(row, of: Intervention.self) }
    }

    /// That a study has a newer consent text, for a day.
    static func told(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        try connection.all(
            """
            SELECT push_subscriptions.id, notices.id, notices.made_at FROM push_subscriptions \(sql: Self.told)
            AND notices.made_at > \(earlier) AND notices.made_at <= \(now)
            AND notices.made_at >= push_subscriptions.created_at
            AND NOT EXISTS (SELECT 1 FROM push_messages WHERE subscription_id = push_subscriptions.id
                AND push_messages.kind = 'change' AND subject = notices.id)
            """
        ) { row in try change(row, of: NoticeRecord.self) }
    }

    private static let day: Int64 = 86_400

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

    /// An hour before appointments; nothing once they have begun.
    static func appointments(
        after earlier: Instant, by now: Instant, _ connection: borrowing Connection
    ) throws -> [PushMessageRow] {
        let ahead = AgendaItem.secondsAhead
        let from = earlier.adding(seconds: ahead)
        let until = now.adding(seconds: ahead)
        return try connection.all(
            """
            SELECT push_subscriptions.id, appointments.id, appointments.starts_at
            FROM appointments \(sql: awaited) AND appointments.starts_at > \(from)
            AND appointments.starts_at <= \(until) AND appointments.starts_at > \(now)
            """
        ) { row in
            let appointment: ID<Appointment> = try row[1]
            let begin: Instant = try row[2]
            return PushMessageRow(
                subscription: try row[0], kind: .change, subject: reminder(of: appointment, at: begin),
                due: max(begin.adding(seconds: -ahead), now), expires: begin)
        }
    }

    /// Moved to another time it is another reminder.
    private static func reminder(of appointment: ID<Appointment>, at begin: Instant) -> ID<Appointment> {
        ID(DerivedID.of("appointment", appointment, String(begin.seconds)))
    }

    // MARK: Claiming

    /// Whether a message is still wanted, by everything that could be said since it came into the queue. Whether a prompt is
    /// still asked follows from plans, and is not decided here.
    static func isWanted(
        _ message: DuePushMessage, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let subject = message.subject.id
        let device = message.subscription
        switch message.kind {
        case .assignment:
            return try connection.exists(
                """
                SELECT 1 FROM assignments \(sql: asked(at: now)) AND assignments.id = \(subject)
                AND push_subscriptions.id = \(device)
                """)
        case .prompt:
            return try connection.exists(
                """
                SELECT 1 FROM push_subscriptions JOIN accounts ON accounts.id = push_subscriptions.account_id
                WHERE push_subscriptions.id = \(device) AND ended_at IS NULL AND wants_prompts = 1
                AND notify_questionnaires = 1
                """)
        case .change:
            return try connection.exists(
                """
                SELECT 1 FROM interventions \(sql: Self.given) AND interventions.id = \(subject)
                AND push_subscriptions.id = \(device)
                """)
                || isComing(message, connection)
                || connection.exists(
                    """
                    SELECT 1 FROM push_subscriptions \(sql: Self.told) AND notices.id = \(subject)
                    AND push_subscriptions.id = \(device)
                    """)
        case .test: return true
        }
    }

    /// A reminder names its appointment only together with its begin, which is when it expires.
    private static func isComing(
        _ message: DuePushMessage, _ connection: borrowing Connection
    ) throws -> Bool {
        let beginning: [ID<Appointment>] = try connection.all(
            """
            SELECT appointments.id FROM appointments \(sql: awaited)
            AND appointments.account_id = \(message.account) AND push_subscriptions.id = \(message.subscription)
            AND appointments.starts_at = \(message.expires)
            """
        ) { row in try row[0] }
        return beginning.contains { reminder(of: $0, at: message.expires).text == message.subject.id }
    }
}
