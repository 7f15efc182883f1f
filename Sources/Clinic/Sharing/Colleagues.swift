import Accounts
import Database
import Identity
import Records
import Web
import Wire
import Wording

/// Whom a therapist may share a file with: other therapists of the installation.
enum Colleagues {
    /// - Parameter field: where the address was typed.
    /// - Throws: `Problem.invalid` for an address that is no other therapist's.
    static func find<P>(
        _ email: String, field: String, but therapist: ID<Account>, _ c: Context<P>
    ) throws -> AccountRecord {
        let lookup = c.keys.lookup(email: email)
        guard let found = try c.read({ try AccountStore.find(lookup: lookup, $0) }), mayTreat(found) else {
            throw Problem.invalid(field, "sharing.no_therapist")
        }
        if found.id == therapist { throw Problem.invalid(field, "sharing.oneself") }
        return found
    }

    /// Belongs inside a write: the account may have been closed meanwhile.
    static func require(
        _ colleague: ID<Account>, field: String, _ connection: borrowing Connection
    ) throws {
        guard let account = try AccountStore.find(colleague, connection), mayTreat(account) else {
            throw Problem.invalid(field, "sharing.no_therapist")
        }
    }

    private static func mayTreat(_ account: AccountRecord) -> Bool {
        account.kind == .staff && account.roles.contains(.therapist) && account.disabledAt == nil
            && account.verifiedAt != nil
    }

    static func name<P>(
        _ account: ID<Account>, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> String {
        try TherapistStore.card(of: account, c.keys, connection)?.fullName ?? ""
    }
}
