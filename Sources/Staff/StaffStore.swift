import Accounts
import Database
import Identity
import Records
import Web
import Wire

/// Every statement about staff accounts as administrators see them.
package enum StaffStore {
    static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<Account>(uuid: places["account"]) else { return nil }
        return try connection.revision(
            """
            SELECT email, name, site, verified_at, disabled_at, nullif(ltrim(
                CASE WHEN EXISTS (SELECT 1 FROM account_roles WHERE account_id = accounts.id AND role = 'admin')
                    THEN ',admin' ELSE '' END
                || CASE WHEN EXISTS (SELECT 1 FROM account_roles WHERE account_id = accounts.id AND role = 'lead')
                    THEN ',lead' ELSE '' END
                || CASE WHEN EXISTS (SELECT 1 FROM account_roles WHERE account_id = accounts.id AND role = 'therapist')
                    THEN ',therapist' ELSE '' END, ','), '')
            FROM accounts WHERE id = \(id) AND kind = 'staff'
            """)
    }

    /// All accounts of staff, closed ones too, the newest first.
    package static func all(_ connection: borrowing Connection) throws -> [StaffMember] {
        let ids: [ID<Account>] = try connection.all(
            "SELECT id FROM accounts WHERE kind = 'staff' ORDER BY created_at DESC, id"
        ) { row in try row[0] }
        return try ids.compactMap { try find($0, connection) }
    }

    /// Nil for patients and unknown accounts.
    package static func find(_ id: ID<Account>, _ connection: borrowing Connection) throws -> StaffMember? {
        guard let account = try AccountStore.find(id, connection), account.kind == .staff else { return nil }
        let site: String?? = try connection.value("SELECT site FROM accounts WHERE id = \(id)")
        let created: Instant? = try connection.value("SELECT created_at FROM accounts WHERE id = \(id)")
        let last: Instant? = try connection.value(
            """
            SELECT at FROM audit_log WHERE subject_id = \(id) AND action = 'account.signed_in'
            ORDER BY id DESC LIMIT 1
            """)
        let therapies = try connection.count(
            "SELECT count(*) FROM therapies WHERE therapist_id = \(id) AND ended_at IS NULL")
        let factor = try SecondFactorStore.find(id, connection)
        return StaffMember(
            account: account, site: site ?? nil, createdAt: created ?? .distantPast, lastSignedInAt: last,
            hasSecondFactor: factor != nil, runningTherapies: therapies,
            undelivered: account.verifiedAt == nil ? try MailStore.failure(of: id, connection) : nil)
    }

    /// Until when the newest link of an invitation can be used; nil when none is left.
    package static func invitationEnd(of id: ID<Account>, _ connection: borrowing Connection) throws
        -> Instant?
    {
        try connection.value(
            """
            SELECT expires_at FROM password_resets WHERE account_id = \(id) AND spent_at IS NULL
            ORDER BY expires_at DESC LIMIT 1
            """)
    }

    /// Whether another account could still administer without this one.
    static func hasOtherAdministrator(than id: ID<Account>, _ connection: borrowing Connection) throws -> Bool
    {
        try connection.exists(
            """
            SELECT 1 FROM accounts JOIN account_roles ON account_id = id
            WHERE role = 'admin' AND id <> \(id) AND disabled_at IS NULL AND verified_at IS NOT NULL
            """)
    }
}
