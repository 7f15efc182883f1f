import Database
import Records
import Therapies
import Wire
import Wording

/// The lines that rules have left for the next session, with their reasons.
package struct SessionReminder: Encodable, Sendable {
    package let text: String
    package let reason: String
    package let when: String

    /// The firings of a therapy since its last session, the newest first.
    package static func all(
        in therapy: Therapy, since: Instant, _ words: RuleFormatter, _ keys: Keyring,
        _ connection: borrowing Connection
    ) throws -> [SessionReminder] {
        let firings = try FiringStore.briefing(in: therapy.id, since: since, connection)
        guard !firings.isEmpty else { return [] }
        let key = try therapy.key(keys)
        return try firings.map { firing in
            let record = try firing.record(key)
            return SessionReminder(
                text: record.rule.actions.briefing ?? "", reason: words.reason(record.rule, record.facts),
                when: words.dates.short(firing.at))
        }
    }
}
