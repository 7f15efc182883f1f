import Database
import Identity
import Records
import Wire
import Wording

/// Every statement about patients' choices on research.
package enum PrivacyStore {
    /// The newest first.
    package static func history(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [Privacy
        .Choice]
    {
        try connection.all(
            """
            SELECT changed_at, research_consent, text_version, version_told FROM consent_choices
            WHERE account_id = \(account) ORDER BY id DESC
            """
        ) { row in
            Privacy.Choice(
                changedAt: try row[0], researchConsent: try row[1], textVersion: try row[2],
                versionTold: try row[3])
        }
    }

    /// Adds a patient's account together with its consents; staff and participants on paper have none to note.
    /// - Parameter isTold: whether the version of the privacy statement was named.
    package static func insert(
        _ account: NewAccount, isTold: Bool? = nil, _ connection: borrowing Connection
    ) throws {
        try AccountStore.insert(account, connection)
        guard account.kind == .patient, !account.isPaper else { return }
        try acceptStatement(of: account.id, connection)
        try choose(
            account.researchConsent, of: account.id, isTold: isTold, at: account.createdAt, connection)
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

    /// - Throws: `Problem.conflict` when another version of the privacy statement is in force than was shown.
    package static func require(_ version: Int?, _ connection: borrowing Connection) throws {
        let present = try InformationStore.version(of: .privacy, connection)
        if let version, version != present {
            throw Problem.conflict(Message("registration.privacy_changed"))
        }
    }

    /// Whether a refusal is for another statement than the one that was shown.
    package static func isChange(_ problem: Problem) -> Bool {
        problem.message.key == "registration.privacy_changed"
    }

    /// Takes effect at once: every research view reads the account.
    package static func choose(
        _ consent: Bool, of account: ID<Account>, isTold: Bool?, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let version = try InformationStore.version(of: .privacy, connection)
        try AccountStore.setResearchConsent(consent, of: account, connection)
        try connection.run(
            """
            INSERT INTO consent_choices (account_id, changed_at, research_consent, text_version, version_told)
            VALUES (\(account), \(now), \(consent), \(version), \(isTold))
            """)
    }
}
