import Database
import Records
import Wire
import Wording

/// The address of an account, and whether it was proved.
extension AccountStore {
    /// Mends the address of an account that is not confirmed yet.
    /// - Throws: `Problem.conflict` once it is: a confirmed account must not get an address nobody proved.
    package static func setEmail(
        _ sealed: [UInt8], lookup: [UInt8], of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try requireUnverified(id, connection)
        try moveEmail(sealed, lookup: lookup, of: id, connection)
    }

    /// Gives an account an address that its owner has proved.
    /// - Throws: `Problem.invalid` for one that is taken.
    package static func moveEmail(
        _ sealed: [UInt8], lookup: [UInt8], of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        do {
            try connection.run(
                "UPDATE accounts SET email = \(sealed), email_lookup = \(lookup) WHERE id = \(id)")
        } catch let error as DatabaseError where error.violates("accounts.email_lookup") {
            throw Problem.invalid("email", "errors.email_taken")
        }
    }

    /// - Throws: `Problem.conflict` for a confirmed account.
    package static func requireUnverified(_ id: ID<Account>, _ connection: borrowing Connection) throws {
        guard try connection.exists("SELECT 1 FROM accounts WHERE id = \(id) AND verified_at IS NULL") else {
            throw Problem.conflict(Message("registration.already_verified"))
        }
    }

    package static func markVerified(_ id: ID<Account>, at now: Instant, _ connection: borrowing Connection)
        throws
    {
        try connection.run(
            "UPDATE accounts SET verified_at = \(now) WHERE id = \(id) AND verified_at IS NULL")
    }
}
