import Accounts
import Database
import Identity
import Records
import Web
import Wire
import Wording

/// The therapists with whom a file may be shared: all others of the installation.
enum Colleagues {
    /// - Parameter field: the field of the address.
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

    /// The therapists to choose from, by name, under their addresses. Of two with the same name the address says which.
    static func choices(
        but therapist: ID<Account>, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> [(value: String, label: String)] {
        let all = try AccountStore.open(.therapist, connection).filter { $0.id != therapist && mayTreat($0) }
        let named = try all.map { account in
            (
                address: try account.email(keys),
                name: try TherapistStore.name(of: account.id, keys, connection)
            )
        }
        let count = Dictionary(grouping: named, by: \.name).mapValues(\.count)
        return named.sorted(byName: \.name, then: \.address).map { entry in
            let isAlone = count[entry.name] == 1 && !entry.name.isEmpty
            return (entry.address, isAlone ? entry.name : "\(entry.name) (\(entry.address))")
        }
    }

    /// The list of a form.
    /// - Parameter besides: a further choice, after the colleagues; the list may then be left empty.
    static func field<P>(
        _ name: String, in filled: FormState, but therapist: ID<Account>,
        besides: (value: String, label: String)? = nil, _ c: Context<P>
    ) throws -> FieldView {
        let choices = try c.read { try Self.choices(but: therapist, c.keys, $0) }
        return filled.list(
            name, label: "covers.colleague",
            hint: choices.isEmpty
                ? "sharing.nobody" : besides == nil ? "covers.colleague_hint" : "absences.colleague_hint",
            required: besides == nil, none: besides == nil ? "–" : "absences.open",
            choices + [besides].compactMap(\.self))
    }

    private static func mayTreat(_ account: AccountRecord) -> Bool {
        account.kind == .staff && account.roles.contains(.therapist) && account.disabledAt == nil
            && account.verifiedAt != nil
    }
}
