import Database
import Identity
import Records
import Wire

/// Every statement about what patients have said of research.
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

    /// A patient's account together with what they have agreed to; of staff and of people on paper there is nothing to note.
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

    /// The last that somebody has said of research: what comes after it is later, whatever clocks say. 0 for nothing.
    static func lastChoice(of account: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.value(
            "SELECT coalesce(max(id), 0) FROM consent_choices WHERE account_id = \(account)") ?? 0
    }

    /// Takes effect at once: every research view looks at the account.
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
