import Database
import Identity
import Records
import Wearables
import Wire

/// Every statement about which sleeps a provider brought.
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

    /// They go as if each had been deleted by hand: no later look brings them back.
    static func deleteSleeps(
        _ provider: String, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let ids: [ID<HealthEntry>] = try connection.all(
            "SELECT sleep_id FROM wearable_sleeps WHERE account_id = \(account) AND provider = \(provider)"
        ) { row in try row[0] }
        for id in ids { try HealthRecordStore.delete(.sleep, id, of: account, at: now, connection) }
        try connection.run(
            "DELETE FROM wearable_sleeps WHERE account_id = \(account) AND provider = \(provider)")
    }
}
