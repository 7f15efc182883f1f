import Database
import Instruments
import Records
import Web
import Wire
import Wording

/// Reactions as a protocol names them (PR-17).
package enum ProtocolRules {
    /// The reactions a person may put into a protocol: their own.
    package static func own(
        of owner: ID<Account>, _ connection: borrowing Connection
    ) throws -> [RuleRecord] {
        try RuleStore.all(of: owner, connection)
    }

    /// Warnings about a reaction that can never be met, or sends a text that is gone.
    package static func warnings<P>(
        _ record: RuleRecord, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [Message] {
        let records = try QuestionnaireStore.newest(c.services.questionnaires, connection)
        let definitions = Dictionary(
            records.map { ($0.key, $0.definition) }, uniquingKeysWith: { first, _ in first })
        let text = try record.rule.actions.interventionID.flatMap {
            try LibraryStore.find($0, for: record.ownerID, connection)
        }
        // Its patients are decided by the protocol.
        let ground = RuleGround(
            definitions: definitions, library: text, unasked: [], nobody: nil, texts: c.texts)
        return record.rule.warnings(ground).map(\.message)
    }
}

extension Rule {
    /// Whether an intervention is its only action.
    package var onlySends: Bool {
        actions.interventionID != nil && actions.briefing == nil && actions.alert == nil && !actions.sendsMail
    }
}
