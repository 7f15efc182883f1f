import Database
import Delivery
import Identity
import Records
import Studies
import Web
import Wire

/// A message for the queue. Each has one subject: the same one again for the same device is not added.
struct PushMessageRow: Sendable {
    enum Kind: String, Sendable, SQLConvertible { case assignment, prompt, change, test }

    let subscription: ID<PushSubscriptionRecord>
    let kind: Kind
    /// The id of the assignment, the prompt, or the new thing; of a later call of a prompt with its number.
    let subject: String
    let due: Instant
    let expires: Instant
    /// Whether the moment itself is what is measured: later it would be another one.
    let isMomentary: Bool

    init(
        subscription: ID<PushSubscriptionRecord>, kind: Kind, subject: ID<some Any>, due: Instant,
        expires: Instant, isMomentary: Bool = false, call: Int = 1
    ) {
        self.subscription = subscription
        self.kind = kind
        self.subject = PushSubject(id: subject.text, call: call).text
        self.due = due
        self.expires = expires
        self.isMomentary = isMomentary
    }
}

/// A due message, with everything needed to send it.
struct DuePushMessage: Sendable {
    let id: ID<PushMessageRow>
    let kind: PushMessageRow.Kind
    let subject: PushSubject
    let expires: Instant
    let isMomentary: Bool
    let nextTry: Instant
    let tries: Int
    let subscription: ID<PushSubscriptionRecord>
    let account: ID<Account>
    let host: String
    let endpoint: [UInt8]
    let title: [UInt8]?
    let language: String
    let wrappedKey: [UInt8]
}

/// Every statement about the queue.
enum PushQueueStore {
    static func insert(
        _ messages: [PushMessageRow], _ chance: Randomness, _ connection: borrowing Connection
    ) throws {
        let live = try PushSubscriptionStore.live(messages.map(\.subscription), connection)
        for message in messages where live.contains(message.subscription) {
            let id: ID<PushMessageRow> = chance.id()
            try connection.run(
                """
                INSERT INTO push_messages
                    (id, subscription_id, kind, subject, due_at, expires_at, next_try_at, momentary)
                VALUES (\(id), \(message.subscription), \(message.kind), \(message.subject), \(message.due),
                    \(message.expires), \(message.due), \(message.isMomentary))
                ON CONFLICT (subscription_id, kind, subject) DO UPDATE SET due_at = excluded.due_at,
                    expires_at = excluded.expires_at,
                    next_try_at = CASE WHEN push_messages.due_at = excluded.due_at THEN push_messages.next_try_at
                        ELSE excluded.next_try_at END,
                    tries = CASE WHEN push_messages.due_at = excluded.due_at THEN push_messages.tries ELSE 0 END,
                    accepted_at = NULL, given_up_at = NULL
                WHERE push_messages.kind = 'prompt'
                    AND CASE WHEN push_messages.accepted_at IS NULL AND push_messages.given_up_at IS NULL
                        THEN push_messages.due_at <> excluded.due_at OR push_messages.expires_at <> excluded.expires_at
                        ELSE excluded.due_at > push_messages.expires_at END
                """)
        }
    }

    /// Removes waiting prompts of studies that are no longer valid: changed by the participant since, or answered.
    static func removePrompts(
        for subscription: ID<PushSubscriptionRecord>, but kept: [String],
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM push_messages WHERE subscription_id = \(subscription) AND kind = 'prompt'
            AND accepted_at IS NULL AND given_up_at IS NULL AND subject NOT IN \(list: kept)
            """)
    }

    // MARK: Sending

    /// Messages that are due and may be sent now, the earliest first: none for a relay that rests or is stopped.
    /// Whether each is still wanted is checked when it is claimed.
    static func due(
        at now: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> [DuePushMessage] {
        try connection.all(
            """
            SELECT m.id, m.kind, m.subject, m.expires_at, m.momentary, m.next_try_at, m.tries, s.id,
                s.account_id, s.host, s.endpoint, s.title, accounts.language, accounts.wrapped_key
            FROM push_messages m JOIN push_subscriptions s ON s.id = m.subscription_id
            JOIN accounts ON accounts.id = s.account_id
            LEFT JOIN push_hosts ON push_hosts.host = s.host
            WHERE m.accepted_at IS NULL AND m.given_up_at IS NULL AND m.next_try_at <= \(now)
            AND m.expires_at > \(now) AND s.ended_at IS NULL AND accounts.disabled_at IS NULL
            AND push_hosts.stopped_at IS NULL
            AND (push_hosts.paused_until IS NULL OR push_hosts.paused_until <= \(now))
            ORDER BY m.next_try_at, m.id LIMIT \(limit)
            """
        ) { row in
            DuePushMessage(
                id: try row[0], kind: try row[1], subject: PushSubject(try row[2]), expires: try row[3],
                isMomentary: try row[4], nextTry: try row[5], tries: try row[6], subscription: try row[7],
                account: try row[8], host: try row[9], endpoint: try row[10], title: try row[11],
                language: try row[12], wrappedKey: try row[13])
        }
    }

    /// Counts a try before it is made; after a crash in between it is tried again, within its window.
    /// - Returns: false when another server was faster.
    static func claim(
        _ message: DuePushMessage, until next: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE push_messages SET tries = tries + 1, next_try_at = \(next)
            WHERE id = \(message.id) AND next_try_at = \(message.nextTry) AND accepted_at IS NULL
            AND given_up_at IS NULL
            """) > 0
    }

    static func noteAccepted(
        _ message: DuePushMessage, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE push_messages SET accepted_at = \(now) WHERE id = \(message.id) AND accepted_at IS NULL")
        try connection.run(
            "UPDATE push_subscriptions SET last_accepted_at = \(now) WHERE id = \(message.subscription)")
        switch message.kind {
        case .assignment:
            try LedgerStore.notePushed(ID(message.subject.id), at: now, connection)
        case .prompt:
            try StudyReminderStore.notePushed(message.subject.id, of: message.account, at: now, connection)
        case .change, .test: break
        }
    }

    static func tryAgain(
        _ id: ID<PushMessageRow>, at next: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE push_messages SET next_try_at = \(next) WHERE id = \(id)")
    }

    /// An unwanted message leaves no trace; a prompt wanted again within its window comes with the next plan.
    static func remove(_ id: ID<PushMessageRow>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM push_messages WHERE id = \(id) AND accepted_at IS NULL")
    }

    static func giveUp(_ id: ID<PushMessageRow>, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE push_messages SET given_up_at = \(now) WHERE id = \(id) AND accepted_at IS NULL")
    }

    /// Removes rows that are no longer needed.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM push_messages WHERE expires_at <= \(now.adding(days: -7))")
        // Browsers that never came back.
        try connection.run("DELETE FROM push_subscriptions WHERE ended_at <= \(now.adding(days: -90))")
    }

    static func removeAll(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM push_messages")
    }

    /// The number of due ones.
    package static func waiting(at now: Instant, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM push_messages WHERE accepted_at IS NULL AND given_up_at IS NULL
            AND next_try_at <= \(now) AND expires_at > \(now)
            """)
    }
}
