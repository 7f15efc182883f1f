import Database
import Records
import Wire
import Wording

/// Every statement that changes the address of an account.
extension AccountStore {
    /// Corrects the address of an account that is not confirmed yet.
    /// - Throws: `Problem.conflict` once it is: a confirmed account must not get an unproved address.
    package static func setEmail(
        _ sealed: [UInt8], lookup: [UInt8], of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try requireUnverified(id, connection)
        do {
            try connection.run(
                "UPDATE accounts SET email = \(sealed), email_lookup = \(lookup) WHERE id = \(id)")
        } catch let error as DatabaseError where error.violates("accounts.email_lookup") {
            throw Problem.invalid("email", "errors.email_taken")
        }
    }

    /// Gives a confirmed account a proved address. Sign-ins under way with the old one get no session.
    /// - Throws: `Problem.conflict` when another account has it, `.notFound` for an account that is closed or not
    ///   confirmed.
    package static func changeEmail(
        _ sealed: [UInt8], lookup: [UInt8], of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        do {
            let changed = try connection.run(
                """
                UPDATE accounts SET email = \(sealed), email_lookup = \(lookup)
                WHERE id = \(id) AND verified_at IS NOT NULL AND disabled_at IS NULL
                """)
            if changed == 0 { throw Problem.notFound }
        } catch let error as DatabaseError where error.violates("accounts.email_lookup") {
            throw Problem.conflict(Message("email_change.taken"))
        }
        try endAccess(of: id, connection)
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
