import Database
import Records
import Wire

/// Rules of prompts that are newer than some studies, and since when each counts here. What was matched or drawn before stays.
package struct PromptRules: Sendable {
    package enum Rule: String, Sendable, CaseIterable, SQLConvertible {
        /// A sheet that names no prompt answers one that has come (RP-104).
        case matching
    }

    private let from: [Rule: Instant]

    /// Since when; the distant past where nothing was asked before.
    package func counts(_ rule: Rule) -> Instant { from[rule] ?? .distantPast }

    package init(_ connection: borrowing Connection) throws { from = try PromptRuleStore.all(connection) }

    /// Notes at a start that the rules of this program count from now on, unless they did before.
    package static func begin(_ records: Records, at now: Instant) throws {
        let known = try records.read { try PromptRuleStore.all($0) }
        if Rule.allCases.allSatisfy({ known[$0] != nil }) { return }
        try records.writeUnaudited(.installation) { connection in
            for rule in Rule.allCases { try PromptRuleStore.note(rule, from: now, connection) }
        }
    }
}
