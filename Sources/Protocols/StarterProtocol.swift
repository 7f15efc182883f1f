import Database
import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// The protocol of the starter set (PR-23): the dailies, the short questionnaire before every session, wellbeing at
/// begin and end. Each therapist gets their own, as the default for new patients until another is chosen: otherwise
/// nothing would be asked before a session.
package enum StarterProtocol {
    /// For the demonstration: one as a therapist's own.
    package static func adopt(
        named name: String, id: ID<TreatmentProtocol>, by owner: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let draft = try ProtocolDraft.read(InputReader(json: document(named: name)))
        try ProtocolStore.insert(draft, id: id, owner: owner, actsSince: now, at: now, connection)
    }

    /// Nil without patients, and for therapists who have ever had a protocol of their own, removed ones included.
    static func piece(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> StarterPiece? {
        let owner = c.proof.account
        guard owner.roles.contains(.therapist), try !ProtocolStore.hasMade(owner.id, connection) else {
            return nil
        }
        let draft = try ProtocolDraft.read(
            InputReader(json: document(named: c.texts["starter.protocol_name"])))
        let id: ID<TreatmentProtocol> = c.newID()
        let hasChosen = try ProtocolStore.standard(of: owner.id, connection) != nil
        let key = hasChosen ? "starter.protocol" : "starter.protocol_default"
        return StarterPiece(c.texts[key, ["name": draft.name]]) { [now = c.now] connection in
            if try ProtocolStore.hasMade(owner.id, connection) { return }
            try ProtocolStore.insert(
                draft, id: id, owner: owner.id, actsSince: now, at: now, connection)
            // A chosen protocol of a colleague or the clinic stays the default.
            if try ProtocolStore.standard(of: owner.id, connection) == nil {
                try ProtocolStore.setStandard(id, of: owner.id, connection)
            }
        }
    }

    private static let plan = [
        ("before_session", "between-sessions"), ("therapy_begin", "wellbeing-5"),
        ("therapy_end", "wellbeing-5"),
    ]

    private static func document(named name: String) -> JSON {
        .object([
            .init("name", .string(name)), .init("dailies", .bool(true)),
            .init(
                "plan",
                .array(
                    plan.map { occasion, key in
                        .object([
                            .init("occasion", .string(occasion)), .init("questionnaire_key", .string(key)),
                        ])
                    })),
        ])
    }
}
