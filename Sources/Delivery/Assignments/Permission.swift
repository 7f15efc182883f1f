import Identity
import Instruments
import Records
import Therapies
import Web
import Wire
import Wording

/// A copyrighted instrument asks once whether its owner permits its use; its card keeps the confirming account.
package enum Permission {
    package static let field = "permission_confirmed"

    /// - Throws: `Problem.invalid` until it is confirmed.
    static func require(for keys: [String], isConfirmed: Bool, _ c: Context<Caseload>) throws {
        try require(for: keys, isConfirmed: isConfirmed, by: c.proof.therapist.id, c)
    }

    /// - Parameter account: the one that confirms.
    /// - Throws: `Problem.invalid` until it is confirmed.
    package static func require<P>(
        for keys: [String], isConfirmed: Bool, by account: ID<Account>, _ c: Context<P>
    ) throws {
        let open = try c.read { connection in
            try keys.filter { try InstrumentStore.card($0, connection).needsConfirmation }
        }
        guard let first = open.first else { return }
        guard isConfirmed else {
            throw Problem.invalid(field, "instruments.permission_needed", ["key": first])
        }
        try c.write(.instrumentConfirmed, object: first) { [now = c.now] connection in
            for key in open {
                var card = try InstrumentStore.card(key, connection)
                card.confirmedAt = now
                card.confirmedBy = account
                try InstrumentStore.save(card, of: key, connection)
            }
        }
    }

    /// The box that the form shows after the question came up.
    package static func box(_ filled: FormState) -> FieldView? {
        guard filled.errors.list.contains(where: { $0.field == field }) else { return nil }
        var view = filled.field(field, label: "instruments.confirmed")
        view.isCheck = true
        view.value = ""
        return view
    }
}
