import Database
import Wire

/// An account together with the way it signed in.
package struct SignedIn: Sendable {
    package let account: AccountRecord
    package let credential: Credential

    package init(account: AccountRecord, credential: Credential) {
        self.account = account
        self.credential = credential
    }

    /// Whether the last use has to be noted anew.
    package func isUseDue(at now: Instant) -> Bool {
        let pause = credential.noteSeconds(of: account.kind)
        return credential.lastUsedAt.adding(seconds: pause) < now
    }

    package func noteUse(at now: Instant, _ connection: borrowing Connection) throws {
        let expiry = credential.expiry(usedAt: now, by: account.kind)
        try CredentialStore.noteUse(of: credential.id, at: now, until: expiry, connection)
    }
}
