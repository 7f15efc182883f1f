import Database
import Wire
import Wording

/// Every statement about used undo tokens.
package enum UndoStore {
    static func isSpent(_ id: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM spent_undos WHERE id = \(id)")
    }

    /// - Throws: `Problem.gone` when it was used already.
    static func spend(_ id: String, until: Instant, _ connection: borrowing Connection) throws {
        if try isSpent(id, connection) { throw Problem.gone(Message("undo.done_already")) }
        try connection.run("INSERT INTO spent_undos (id, expires_at) VALUES (\(id), \(until))")
    }

    /// An expired token is refused by the time sealed in it, so its row can go.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM spent_undos WHERE expires_at < \(now)")
    }
}
