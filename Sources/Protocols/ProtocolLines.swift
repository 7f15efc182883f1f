import Database
import Delivery
import Identity
import Records
import Rules
import Web
import Wording

/// One part of a protocol, in words.
package struct ProtocolLine: Encodable, Sendable {
    package let what: String
    package let when: String
}

/// A protocol in words, for its readers.
enum ProtocolLines {
    static func all<P>(
        _ definition: ProtocolDefinition, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [ProtocolLine] {
        let words = DeliveryRuleFormatter(c, hasEnd: nil)
        var lines = try definition.asked.map {
            ProtocolLine(what: try words.what($0, connection), when: try words.when($0, connection))
        }
        if let dailies = definition.dailies {
            lines.append(
                ProtocolLine(
                    what: c.texts["protocols.dailies"],
                    when: c.texts["protocols.dailies_\(dailies ? "on" : "off")"]))
        }
        lines += try reactions(definition.rules, c, connection)
        for wanted in definition.interventions {
            guard let text = try LibraryStore.named(wanted.text, connection) else { continue }
            lines.append(
                ProtocolLine(
                    what: text.text.text(in: c.languages) ?? "",
                    when: c.texts["protocols.planned_day", ["n": String(wanted.day)]]))
        }
        return lines
    }

    static func reactions<P>(
        _ rules: [ID<Rule>], _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [ProtocolLine] {
        let words = try RuleFormatter(c, connection)
        return try RuleStore.named(rules, connection).compactMap { record in
            guard let owner = try AccountStore.find(record.ownerID, connection) else { return nil }
            let rule = try record.opened(try owner.key(c.keys))
            let off = record.enabledAt == nil ? " · " + c.texts["protocols.rule_is_off"] : ""
            return ProtocolLine(what: rule.name, when: "\(words.when(rule)) → \(words.then(rule))\(off)")
        }
    }
}
