import Database
import Identity
import Records
import Wire

/// Every statement about subscriptions.
package enum PushSubscriptionStore {
    package static func find(
        of device: ID<Credential>, _ account: ID<Account>, _ connection: borrowing Connection
    ) throws -> PushSubscriptionRecord? {
        try connection.first(
            "SELECT * FROM push_subscriptions WHERE credential_id = \(device) AND account_id = \(account)")
    }

    /// An account's devices that have one, with whether it is in force.
    static func states(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Credential>: String] {
        let rows = try connection.all(
            "SELECT credential_id, ended_at FROM push_subscriptions WHERE account_id = \(account)"
        ) { row -> (ID<Credential>, Instant?) in (try row[0], try row[1]) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0, PushSubscriptionRecord.state(endedAt: $1)) })
    }

    /// A device has one: a newer one replaces it, together with its waiting messages.
    static func replace(
        _ new: NewPushSubscription, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM push_subscriptions WHERE credential_id = \(new.device)")
        try connection.run(
            """
            INSERT INTO push_subscriptions (id, credential_id, account_id, host, endpoint, title, wants_prompts,
                wants_changes, created_at, sender)
            VALUES (\(new.id), \(new.device), \(new.account), \(new.host), \(new.endpoint), \(new.title),
                \(new.wantsPrompts), \(new.wantsChanges), \(new.createdAt), \(new.sender))
            """)
    }

    /// The same address again: the last success stays known. Its device has subscribed with the present key, of which an
    /// address need not tell.
    static func renew(_ new: NewPushSubscription, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE push_subscriptions SET wants_prompts = \(new.wantsPrompts),
                wants_changes = \(new.wantsChanges), title = \(new.title), sender = \(new.sender)
            WHERE id = \(new.id)
            """)
    }

    /// - Returns: false when there was none.
    package static func remove(
        of device: ID<Credential>, _ account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            "DELETE FROM push_subscriptions WHERE credential_id = \(device) AND account_id = \(account)") > 0
    }

    /// The relay no longer knows it.
    static func end(
        _ id: ID<PushSubscriptionRecord>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE push_subscriptions SET ended_at = \(now) WHERE id = \(id) AND ended_at IS NULL")
    }

    /// An old copy of the database must not revive any: devices may have ended them since.
    static func endAll(at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE push_subscriptions SET ended_at = \(now) WHERE ended_at IS NULL")
    }

    // MARK: The portal's key

    /// Those from before it was noted count as made for the present key.
    static func adopt(_ sender: String, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE push_subscriptions SET sender = \(sender) WHERE sender IS NULL")
    }

    static func hasUnknownSender(_ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM push_subscriptions WHERE sender IS NULL LIMIT 1")
    }

    /// The number of devices in use that subscribed with another key: relays refuse what is sent to them.
    static func count(
        withoutSender sender: String, usedSince first: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM push_subscriptions
            JOIN credentials ON credentials.id = push_subscriptions.credential_id
            WHERE push_subscriptions.ended_at IS NULL AND push_subscriptions.sender <> \(sender)
            AND credentials.last_used_at >= \(first)
            """)
    }

    /// Whether any account wants reminders: in most clinics this is usually the only query.
    static func isThereAny(_ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM push_subscriptions WHERE ended_at IS NULL LIMIT 1")
    }

    /// Accounts whose studies must be planned.
    static func promptedAccounts(_ connection: borrowing Connection) throws -> [ID<Account>] {
        try connection.all(
            """
            SELECT DISTINCT push_subscriptions.account_id FROM push_subscriptions
            JOIN accounts ON accounts.id = push_subscriptions.account_id
            JOIN enrolments ON enrolments.account_id = accounts.id
            WHERE ended_at IS NULL AND wants_prompts = 1 AND notify_questionnaires = 1
            """
        ) { row in try row[0] }
    }

    /// Those of these that have not gone meanwhile.
    static func live(
        _ ids: [ID<PushSubscriptionRecord>], _ connection: borrowing Connection
    ) throws -> Set<ID<PushSubscriptionRecord>> {
        Set(
            try connection.all(
                "SELECT id FROM push_subscriptions WHERE id IN \(list: Array(Set(ids))) AND ended_at IS NULL"
            ) { row in try row[0] })
    }

    /// An account's live ones that want prompts.
    static func prompted(
        _ account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [(id: ID<PushSubscriptionRecord>, since: Instant)] {
        try connection.all(
            """
            SELECT id, created_at FROM push_subscriptions
            WHERE account_id = \(account) AND ended_at IS NULL AND wants_prompts = 1
            """
        ) { row in (try row[0], try row[1]) }
    }
}

/// A subscription to be stored, sealed.
struct NewPushSubscription: Sendable {
    let id: ID<PushSubscriptionRecord>
    let device: ID<Credential>
    let account: ID<Account>
    let host: String
    let endpoint: [UInt8]
    let title: [UInt8]?
    let wantsPrompts: Bool
    let wantsChanges: Bool
    let createdAt: Instant
    /// The portal's public key, which its device was told.
    let sender: String
}
