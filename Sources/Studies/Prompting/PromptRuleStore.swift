import Database
import Wire

/// Every statement about the rules of prompts.
enum PromptRuleStore {
    static func all(_ connection: borrowing Connection) throws -> [PromptRules.Rule: Instant] {
        let rows: [(String, Instant)] = try connection.all("SELECT rule, counts_from FROM prompt_rules") {
            row in (try row[0], try row[1])
        }
        // One of a newer program is none of this one's.
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { name, from in
                PromptRules.Rule(rawValue: name).map { ($0, from) }
            })
    }

    /// Of several portals that start at once one notes it.
    static func note(_ rule: PromptRules.Rule, from now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            "INSERT INTO prompt_rules (rule, counts_from) VALUES (\(rule), \(now)) ON CONFLICT (rule) DO NOTHING"
        )
    }
}
