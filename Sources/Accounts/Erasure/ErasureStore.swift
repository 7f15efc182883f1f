import Database

/// Every statement that erases a patient's account for good.
enum ErasureStore {
    /// The account with everything that hangs on it: its therapies, and by them all answers, appointments,
    /// interventions and alerts. The keys go with their rows.
    /// - Returns: whether there was anything.
    @discardableResult
    static func erase(_ account: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.run("DELETE FROM contributions WHERE account_id = \(account)")
        try connection.run("DELETE FROM therapies WHERE account_id = \(account)")
        return try connection.run("DELETE FROM accounts WHERE id = \(account) AND kind = 'patient'") > 0
    }

    /// Whether an account or a therapy of this id is there.
    static func holds(_ id: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM accounts WHERE id = \(id) AND kind = 'patient'
            UNION ALL SELECT 1 FROM therapies WHERE id = \(id)
            """)
    }

    /// A therapy that an old copy brought back without its account.
    static func erase(therapy: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM therapies WHERE id = \(therapy)")
    }
}
