import Database
import Identity
import Records
import Scheduling
import Web
import Wording

/// The owner of a therapy's sheets. Before pairing it is an account that holds only their key: its address and
/// password are unknown, and pairing moves nothing.
package enum TherapyHolder {
    /// A new holder, in case there is none.
    package static func new(_ c: Context<some Sendable>) -> NewAccount {
        NewAccount(
            paper: c.newID(), language: c.language, timezone: c.dates.zone.identifier, keys: c.keys,
            now: c.now)
    }

    /// In the transaction that needs it: the patient's account, else the holder, which is created when there is none.
    /// - Throws: `Problem.notFound` for a therapy that was erased.
    package static func ensure(
        _ new: NewAccount, for id: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> AccountRecord {
        guard let therapy = try TherapyStore.find(id, connection) else { throw Problem.notFound }
        if therapy.accountID == nil, therapy.holderID == nil {
            try AccountStore.insert(new, connection)
            try TherapyHolderStore.set(new.id, of: id, connection)
        }
        let account = therapy.accountID ?? therapy.holderID ?? new.id
        guard let found = try AccountStore.find(account, connection) else { throw Problem.notFound }
        return found
    }

    /// The same in a transaction of its own, where a key is needed before the sheet can be sealed.
    package static func ensure(for therapy: Therapy, _ c: Context<some Sendable>) throws -> AccountRecord {
        let known = try c.read { connection -> AccountRecord? in
            guard let therapy = try TherapyStore.find(therapy.id, connection),
                let account = therapy.accountID ?? therapy.holderID
            else { return nil }
            return try AccountStore.find(account, connection)
        }
        if let known { return known }
        let new = new(c)
        return try c.write(.answersHeld, about: therapy.id) { connection in
            try ensure(new, for: therapy.id, connection)
        }
    }
}

extension AuditAction {
    static let answersHeld = AuditAction(name: "patient.answers_held")
}
