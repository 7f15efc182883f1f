import Database
import Records
import Studies
import Wire

/// Reads which events have answers that wait for a decision (ST-2).
enum HeldEventStore {
    static func isHeld(
        _ event: ID<StudyEvent>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM quarantined_sheets WHERE account_id = \(account) AND event_id = \(event)
            AND decision IS NULL
            """)
    }
}
