import Database
import Records
import Rules
import Web
import Wording

/// What in a protocol can never reach anybody though nothing forbids it, said before it is saved and after (PR-17).
enum ProtocolWarnings {
    static func all<P>(
        _ definition: ProtocolDefinition, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [Message] {
        try RuleStore.named(definition.rules, connection).flatMap { try of($0, c, connection) }
    }

    /// Of one reaction: that it is switched off, that it can never be met.
    static func of<P>(
        _ record: RuleRecord, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [Message] {
        let off = record.enabledAt == nil ? [Message("protocols.rule_off")] : []
        // The last one says what follows from the others.
        return off + (try ProtocolRules.warnings(record, c, connection).last.map { [$0] } ?? [])
    }
}
