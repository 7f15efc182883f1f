import Database
import Wire

/// Every statement about what patients have said of research.
enum PrivacyStore {
    /// The newest first.
    static func history(of account: String, _ connection: borrowing Connection) throws -> [Privacy.Choice] {
        try connection.all(
            """
            SELECT changed_at, research_consent FROM consent_choices WHERE account_id = \(account)
            ORDER BY id DESC
            """
        ) { row in Privacy.Choice(changedAt: try row[0], researchConsent: try row[1]) }
    }

    /// Takes effect at once: every research view looks at the account.
    static func choose(
        _ consent: Bool, of account: String, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE accounts SET research_consent = \(consent) WHERE id = \(account)")
        try connection.run(
            """
            INSERT INTO consent_choices (account_id, changed_at, research_consent)
            VALUES (\(account), \(now), \(consent))
            """)
    }
}
