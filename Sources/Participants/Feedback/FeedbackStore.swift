import Database
import JSON
import Records
import Wire

/// Every statement about feedback to the project's team.
package enum FeedbackStore {
    /// - Parameter account: nil for a visitor without one.
    static func insert(
        _ sealed: [UInt8], id: ID<FeedbackMessage>, of account: ID<Account>?, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO feedback_messages (id, account_id, message, received_at)
            VALUES (\(id), \(account), \(sealed), \(now))
            """)
    }

    /// The newest first.
    static func all(_ keys: Keyring, _ connection: borrowing Connection) throws -> [Item<FeedbackMessage>] {
        try connection.all(
            "SELECT id, message, received_at FROM feedback_messages ORDER BY received_at DESC, id"
        ) { row in try item(row, keys) }
    }

    /// Of one person, the newest first.
    static func all(
        of account: ID<Account>, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> [Item<FeedbackMessage>] {
        try connection.all(
            """
            SELECT id, message, received_at FROM feedback_messages WHERE account_id = \(account)
            ORDER BY received_at DESC, id
            """
        ) { row in try item(row, keys) }
    }

    package static func count(_ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM feedback_messages")
    }

    static func erase(of account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM feedback_messages WHERE account_id = \(account)")
    }

    static func place(_ id: ID<FeedbackMessage>) -> SealContext {
        SealContext("feedback_messages", id, "message")
    }

    private static func item(_ row: borrowing Row, _ keys: Keyring) throws -> Item<FeedbackMessage> {
        let id: ID<FeedbackMessage> = try row[0]
        let json = try JSON.parse(try keys.open(try row[1], from: place(id)))
        return Item(
            id: id.text,
            FeedbackMessage(
                text: json["text"]?.string ?? "", replyTo: json["reply_to"]?.string, receivedAt: try row[2]))
    }
}
