import Database
import Wire

/// The lines that rules have left for the next session, with what they rest on.
struct BriefingLine: Encodable, Sendable {
    let text: String
    let reason: String
    let when: String

    /// What has fired for a therapy since its last session, the newest first.
    static func all(
        in therapy: Therapy, since: Instant, _ words: RuleWords, _ keys: Keyring,
        _ connection: borrowing Connection
    ) throws -> [BriefingLine] {
        let firings = try FiringStore.briefing(in: therapy.id, since: since, connection)
        guard !firings.isEmpty else { return [] }
        let key = try therapy.key(keys)
        return try firings.map { firing in
            let record = try firing.record(key)
            return BriefingLine(
                text: record.rule.actions.briefing ?? "", reason: words.reason(record.rule, record.facts),
                when: words.dates.short(firing.at))
        }
    }
}
