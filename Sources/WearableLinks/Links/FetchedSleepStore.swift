import Database
import Records
import Wearables
import Wire

/// Every statement about sleeps from a provider.
enum FetchedSleepStore {
    static func note(
        _ id: ID<HealthEntry>, from provider: String, of account: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO wearable_sleeps (account_id, provider, sleep_id) VALUES (\(account), \(provider), \(id))
            ON CONFLICT (account_id, provider, sleep_id) DO NOTHING
            """)
    }

    static func all(
        from provider: String, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<HealthEntry>] {
        try connection.all(
            "SELECT sleep_id FROM wearable_sleeps WHERE account_id = \(account) AND provider = \(provider)"
        ) { row in try row[0] }
    }

    /// When the link ends and its data goes: no link brings them back (RP-101).
    static func deleteAll(
        from provider: String, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        for id in try all(from: provider, of: account, connection) {
            try HealthRecordStore.delete(.sleep, id, of: account, at: now, connection)
        }
        try keepAll(from: provider, of: account, connection)
    }

    /// When the link ends and its data stays: the sleeps become the person's own.
    static func keepAll(
        from provider: String, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM wearable_sleeps WHERE account_id = \(account) AND provider = \(provider)")
    }

    /// Removes sleeps that the provider no longer has, in a period that it has reported completely.
    static func forget(
        besides told: Set<ID<HealthEntry>>, endingIn stretch: Range<Instant>, from provider: String,
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        let there = try HealthRecordStore.ids(of: .sleep, of: account, endingIn: stretch, connection)
        if Set(there).isSubset(of: told) { return }
        let brought = Set(try all(from: provider, of: account, connection))
        for id in there where brought.contains(id) && !told.contains(id) {
            try HealthRecordStore.forget(.sleep, id, of: account, connection)
        }
    }
}
