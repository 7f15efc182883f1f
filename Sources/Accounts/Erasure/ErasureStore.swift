import Database
import Records
import Wire

/// Every statement about erased data in old copies of the database.
enum ErasureStore {
    /// Whether an account or a therapy with this id exists.
    static func holds(_ id: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM accounts WHERE id = \(id) AND kind = 'patient'
            UNION ALL SELECT 1 FROM therapies WHERE id = \(id)
            """)
    }
}
