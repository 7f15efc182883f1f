import Database
import Foundation
import HTTP
import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// The therapists' part of the starter set: interventions for the whole clinic, and reactions that are each
/// therapist's own and switched off (PR-23).
package enum StarterPractice {
    package struct Standing: Sendable {
        /// The kinds of interventions, with the number of missing texts of each.
        package let interventions: [(kind: InterventionKind, missing: Int)]
        /// The names of missing reactions of this account.
        package let reactions: [String]
        /// Additions of higher areas, in words.
        package let others: [String]

        package var missingInterventions: Int { interventions.map(\.missing).reduce(0, +) }
        package var isOpen: Bool { missingInterventions > 0 || !reactions.isEmpty || !others.isEmpty }
    }

    struct Text: Sendable {
        let key: String
        let draft: LibraryDraft
    }
    struct Reaction: Sendable {
        let key: String
        let rule: Rule
    }

    /// The parts the caller still lacks. Removed ones count as present: they were removed on purpose.
    package static func standing(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Standing {
        let there = try StarterStore.interventions(connection)
        let missing = try interventions(c.services).filter { !there.contains($0.key) }
        let own = try StarterStore.reactions(of: c.proof.account.id, connection)
        return Standing(
            interventions: InterventionKind.allCases.map { kind in
                (kind, missing.count { $0.draft.kind == kind })
            },
            reactions: try reactions(c).filter { !own.contains($0.key) }.map(\.rule.name),
            others: try c.services.starterPieces(c, connection).map(\.words))
    }

    /// The write of the missing parts; those present by then are left out.
    static func taking(_ c: Context<Member>) throws -> @Sendable (borrowing Connection) throws -> Void {
        let texts = try interventions(c.services).map {
            (id: c.newID() as ID<LibraryIntervention>, text: $0)
        }
        let key = try c.proof.account.key(c.keys)
        let rules = try reactions(c).map { reaction in
            let id: ID<Rule> = c.newID()
            return (id: id, key: reaction.key, stored: try StoredRule(reaction.rule, id: id, key))
        }
        let owner = c.proof.account.id
        let others = try c.read { try c.services.starterPieces(c, $0) }
        return { [now = c.now] connection in
            let there = try StarterStore.interventions(connection)
            for (id, text) in texts where !there.contains(text.key) {
                try LibraryStore.insert(
                    text.draft, id: id, owner: nil, starter: text.key, at: now, connection)
            }
            let own = try StarterStore.reactions(of: owner, connection)
            for (id, key, stored) in rules where !own.contains(key) {
                try RuleStore.insert(
                    stored, chosen: nil, id: id, owner: owner, starter: key, at: now, connection)
            }
            for piece in others { try piece.take(connection) }
        }
    }

    static func interventions(_ services: Services) throws -> [Text] {
        try (file(services)["interventions"]?.array ?? []).map { item in
            guard case .object(let members) = item else { throw Problem.notFound }
            let fields = members.filter { $0.key != "key" } + [JSON.Member("shared", .bool(true))]
            return Text(
                key: item["key"]?.string ?? "",
                draft: try LibraryDraft.read(InputReader(json: .object(fields))))
        }
    }

    /// In the caller's language; none for accounts without patients.
    static func reactions(_ c: Context<Member>) throws -> [Reaction] {
        guard c.proof.account.roles.contains(.therapist) else { return [] }
        return try (file(c.services)["reactions"]?.array ?? []).map { item in
            guard case .object(let members) = item else { throw Problem.notFound }
            let fields = members.filter { $0.key != "key" }.map { member in
                guard case .object = member.value else { return member }
                let words = LocalizedText(json: member.value).text(in: c.languages) ?? ""
                return JSON.Member(member.key, .string(words))
            }
            return Reaction(
                key: item["key"]?.string ?? "", rule: try Rule.read(InputReader(json: .object(fields))))
        }
    }

    private static func file(_ services: Services) throws -> JSON {
        try JSON.parse(services.shipped("starter/practice.json") ?? [])
    }
}
