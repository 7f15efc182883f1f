import Database
import Records
import Wire
import Wording

/// Every statement about the owners of a therapy's sheets.
package enum TherapyHolderStore {
    /// The therapies an account's sheets may belong to: its own, or the unpaired one whose sheets it holds.
    package static func therapies(
        takingSheetsOf account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [Therapy] {
        try connection.all(
            """
            SELECT * FROM therapies WHERE account_id = \(account) OR holder_id = \(account)
            ORDER BY created_at
            """)
    }

    /// The holders of sheets filled in before pairing, of all therapies of an account.
    package static func holders(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Account>] {
        try connection.all(
            "SELECT holder_id FROM therapies WHERE account_id = \(account) AND holder_id IS NOT NULL"
        ) { row in try row[0] }
    }

    static func set(
        _ holder: ID<Account>, of id: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE therapies SET holder_id = \(holder) WHERE id = \(id)")
    }

    /// In the transaction that stores a sheet: a pairing may have been undone meanwhile.
    /// - Throws: `Problem.forbidden`.
    package static func requireTaking(
        sheetsOf account: ID<Account>, in id: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        let therapy = try TherapyStore.find(id, connection)
        if therapy?.takesSheets(of: account) != true {
            throw Problem.forbidden(Message("problems.not_paired"))
        }
    }
}
