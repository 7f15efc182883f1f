import Database
import Identity
import Records
import Wire

/// Every statement about patients' choices on research.
package enum PrivacyStore {
    /// The newest first.
    package static func history(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [Privacy
        .Choice]
    {
        try connection.all(
            """
            SELECT changed_at, research_consent, text_version FROM consent_choices
            WHERE account_id = \(account) ORDER BY id DESC
            """
        ) { row in
            Privacy.Choice(changedAt: try row[0], researchConsent: try row[1], textVersion: try row[2])
        }
    }

    /// Adds a patient's account together with its consents; staff and participants on paper have none to note.
    package static func insert(_ account: NewAccount, _ connection: borrowing Connection) throws {
        try AccountStore.insert(account, connection)
        guard account.kind == .patient, !account.isPaper else { return }
        try acceptStatement(of: account.id, connection)
        try choose(account.researchConsent, of: account.id, at: account.createdAt, connection)
    }

    /// Notes that the privacy statement in force was accepted.
    package static func acceptStatement(of account: ID<Account>, _ connection: borrowing Connection) throws {
        let version = try InformationStore.version(of: .privacy, connection)
        try AccountStore.setPrivacyVersion(version, of: account, connection)
    }

    /// The number of the latest choice on research: later ones are larger, whatever the clock. 0 without any.
    static func lastChoice(of account: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.value(
            "SELECT coalesce(max(id), 0) FROM consent_choices WHERE account_id = \(account)") ?? 0
    }

    /// Takes effect at once: every research view reads the account.
    package static func choose(
        _ consent: Bool, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let version = try InformationStore.version(of: .privacy, connection)
        try AccountStore.setResearchConsent(consent, of: account, connection)
        try connection.run(
            """
            INSERT INTO consent_choices (account_id, changed_at, research_consent, text_version)
            VALUES (\(account), \(now), \(consent), \(version))
            """)
    }
}
