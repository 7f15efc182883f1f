import Database
import Records
import Wire

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

    /// Closes an account of staff, or opens it again with nil.
    package static func setDisabled(_ at: Instant?, of id: ID<Account>, _ connection: borrowing Connection)
        throws
    {
        try connection.run("UPDATE accounts SET disabled_at = \(at) WHERE id = \(id) AND kind = 'staff'")
        if at != nil { try AccountStore.endAccess(of: id, connection) }
    }
}
