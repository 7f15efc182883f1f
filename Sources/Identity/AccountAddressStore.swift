import Database
import Records
import Wire
import Wording

/// Every statement that changes the address of an account.
extension AccountStore {
    /// Lets a registration stand beside the others of its address; a proved account ends them.
    static func admit(_ account: NewAccount, _ connection: borrowing Connection) throws {
        if let address = account.unprovenLookup {
            try makeRoom(for: account.id, at: address, connection)
        } else if account.verifiedAt != nil {
            try endRegistrations(of: account.lookup, but: account.id, connection)
        }
    }

    /// How many registrations of one address wait for its proof side by side.
    package static let mostRegistrations = 5

    /// The registrations of an address that is not proved, the newest first.
    package static func registrations(
        of lookup: [UInt8], _ connection: borrowing Connection
    ) throws -> [AccountRecord] {
        let ids: [ID<Account>] = try connection.all(
            "SELECT id FROM accounts WHERE unproven_lookup = \(lookup) ORDER BY created_at DESC, id DESC"
        ) { row in try row[0] }
        return try ids.compactMap { try find($0, connection) }
    }

    /// Makes room for a registration beside the others of its address: a sixth one ends the oldest.
    /// - Throws: `Problem.invalid` when the address is an account's already.
    static func makeRoom(
        for id: ID<Account>, at lookup: [UInt8], _ connection: borrowing Connection
    ) throws {
        if try connection.exists("SELECT 1 FROM accounts WHERE email_lookup = \(lookup)") {
            throw Problem.invalid("email", "errors.email_taken")
        }
        try connection.run(
            """
            DELETE FROM accounts WHERE unproven_lookup = \(lookup) AND id <> \(id) AND id NOT IN (
                SELECT id FROM accounts WHERE unproven_lookup = \(lookup) AND id <> \(id)
                ORDER BY created_at DESC, id DESC LIMIT \(mostRegistrations - 1))
            """)
    }

    /// Ends the registrations of an address that is proved now, with everything that they signed in.
    static func endRegistrations(
        of lookup: [UInt8], but kept: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM accounts WHERE unproven_lookup = \(lookup) AND id <> \(kept)")
    }

    /// Corrects the address of a registration that is not confirmed yet.
    /// - Throws: `Problem.conflict` once it is: a confirmed account must not get an unproved address.
    package static func setEmail(
        _ sealed: [UInt8], lookup: [UInt8], of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try requireUnverified(id, connection)
        try makeRoom(for: id, at: lookup, connection)
        try connection.run(
            "UPDATE accounts SET email = \(sealed), unproven_lookup = \(lookup) WHERE id = \(id)")
    }

    /// Gives a confirmed account a proved address; registrations of it end. Sign-ins under way with the old one get no session.
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
        try endRegistrations(of: lookup, but: id, connection)
        try endAccess(of: id, connection)
    }

    /// - Throws: `Problem.conflict` for a confirmed account.
    package static func requireUnverified(_ id: ID<Account>, _ connection: borrowing Connection) throws {
        guard try connection.exists("SELECT 1 FROM accounts WHERE id = \(id) AND verified_at IS NULL") else {
            throw Problem.conflict(Message("registration.already_verified"))
        }
    }

    /// Whether an account still has the address with which it was read: a link that was made for another one is not stored.
    package static func hasAddress(of account: AccountRecord, _ connection: borrowing Connection) throws
        -> Bool
    {
        try connection.exists(
            "SELECT 1 FROM accounts WHERE id = \(account.id) AND email = \(account.sealedEmail)")
    }

    /// Notes that an account's address is proved: it is this account's alone, and other registrations of it end.
    /// - Throws: `Problem.conflict` when another account has it by now.
    package static func markVerified(_ id: ID<Account>, at now: Instant, _ connection: borrowing Connection)
        throws
    {
        do {
            try connection.run(
                """
                UPDATE accounts SET verified_at = \(now),
                    email_lookup = coalesce(unproven_lookup, email_lookup), unproven_lookup = NULL
                WHERE id = \(id) AND verified_at IS NULL
                """)
        } catch let error as DatabaseError where error.violates("accounts.email_lookup") {
            throw Problem.conflict(Message("registration.taken"))
        }
        let address: [UInt8]? = try connection.value("SELECT email_lookup FROM accounts WHERE id = \(id)")
        if let address { try endRegistrations(of: address, but: id, connection) }
    }
}
