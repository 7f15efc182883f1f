import Database
import Identity
import Instruments
import Questionnaires
import Web
import Wording

/// What else makes an answer stand out that a reaction watches (PR-27): one answer is one entry, whatever fires on it.
enum RuleWatching {
    /// For the author of a reaction: its questions that have to be seen anyway, and reactions of the author on the same ones.
    static func words(
        _ record: RuleRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [String] {
        let items = watched(record.rule)
        if items.isEmpty { return [] }
        let isSeenAnyway = try items.contains { item in
            let newest = try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection)
            return newest?.definition.question(item.question)?.mustBeSeen != nil
        }
        let key = try c.proof.account.key(c.keys)
        let others = try RuleStore.all(of: c.proof.account.id, connection).filter { other in
            other.id != record.id && !watched(other.rule).isDisjoint(with: items)
        }
        return (isSeenAnyway ? [c.texts["risk.seen_anyway"]] : [])
            + (try others.map { c.texts["risk.watched_too", ["name": try $0.opened(key).name]] })
    }

    private struct Item: Hashable {
        let key: String
        let question: String
    }

    private static func watched(_ rule: Rule) -> Set<Item> {
        Set(
            rule.clauses.compactMap { clause in
                guard clause.kind == .answer, let key = clause.key, let question = clause.item else {
                    return nil
                }
                return Item(key: key, question: question)
            })
    }
}
