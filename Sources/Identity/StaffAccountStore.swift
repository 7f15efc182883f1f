import Database
import Records
import Wire
import Wording

/// Every statement by which administrators change accounts of staff.
package enum StaffAccountStore {
    package static func setRoles(_ roles: Set<Role>, of id: ID<Account>, _ connection: borrowing Connection)
        throws
    {
        try connection.run("DELETE FROM account_roles WHERE account_id = \(id)")
        try AccountStore.insert(roles, of: id, connection)
    }

    package static func setSite(_ site: String?, of id: ID<Account>, _ connection: borrowing Connection)
        throws
    {
        try connection.run("UPDATE accounts SET site = \(site) WHERE id = \(id) AND kind = 'staff'")
    }

    /// A password was chosen: the address is no administrator's any more.
    package static var invitationIsOver: Problem {
        let message = Message("staff.not_invited")
        return .conflict(message, FieldErrors("email", message))
    }

    /// Corrects the address of an invited member of staff, which is not proved yet.
    /// - Throws: `Problem.conflict` once a password was chosen by the invitation's link, `.invalid` when an account has the
    ///   address already.
    package static func setInvitedEmail(
        _ sealed: [UInt8], lookup: [UInt8], of id: ID<Account>, _ connection: borrowing Connection
    ) throws {
        do {
            let changed = try connection.run(
                """
                UPDATE accounts SET email = \(sealed), email_lookup = \(lookup)
                WHERE id = \(id) AND kind = 'staff' AND verified_at IS NULL AND disabled_at IS NULL
                """)
            if changed == 0 { throw invitationIsOver }
        } catch let error as DatabaseError where error.violates("accounts.email_lookup") {
            throw Problem.invalid("email", "errors.email_taken")
        }
    }

    /// Closes an account of staff, or opens it again with nil.
    package static func setDisabled(_ at: Instant?, of id: ID<Account>, _ connection: borrowing Connection)
        throws
    {
        try connection.run("UPDATE accounts SET disabled_at = \(at) WHERE id = \(id) AND kind = 'staff'")
        if at != nil { try AccountStore.endAccess(of: id, connection) }
    }
}
