import Database
import Rules
import Web
import Wording

/// Warnings about the parts of a protocol that can never reach a patient, shown before and after saving (PR-17).
enum ProtocolWarnings {
    static func all<P>(
        _ definition: ProtocolDefinition, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [Message] {
        try RuleStore.named(definition.rules, connection).flatMap { try of($0, c, connection) }
    }

    /// For one reaction: that it is switched off, that it can never be met.
    static func of<P>(
        _ record: RuleRecord, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [Message] {
        let off = record.enabledAt == nil ? [Message("protocols.rule_off")] : []
        // The last warning includes the others' consequences.
        return off + (try ProtocolRules.warnings(record, c, connection).last.map { [$0] } ?? [])
    }
}
