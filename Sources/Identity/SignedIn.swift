import Database
import Wire

/// An account together with its credential.
package struct SignedIn: Sendable {
    package let account: AccountRecord
    package let credential: Credential

    /// Whether the last use must be noted again.
    package func isUseDue(at now: Instant) -> Bool {
        let pause = credential.noteSeconds(of: account.kind)
        return credential.lastUsedAt.adding(seconds: pause) < now
    }

    package func noteUse(at now: Instant, _ connection: borrowing Connection) throws {
        let expiry = credential.expiry(usedAt: now, by: account.kind)
        try CredentialStore.noteUse(of: credential.id, at: now, until: expiry, connection)
        guard credential.staysUntil != nil else { return }
        try KnownOriginStore.noteUse(of: credential.id, by: account.id, at: now, connection)
    }
}
