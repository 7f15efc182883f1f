import Database
import Scheduling
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

    /// Whether the app was not used before on this local day; staff are not counted.
    package func isDayDue(at now: Instant) -> Bool { dueDay(at: now) != nil }

    package func noteDay(at now: Instant, _ connection: borrowing Connection) throws {
        if let day = dueDay(at: now) { try AppUseStore.note(day, with: credential, connection) }
    }

    /// The local day that is to be noted as one on which the app was used; nil for staff, and where it is noted already.
    private func dueDay(at now: Instant) -> LocalDate? {
        guard account.kind == .patient, [.session, .token].contains(credential.kind) else { return nil }
        let today = LocalTime(now, Zone(account.timezone)).date
        return credential.usedOn == today ? nil : today
    }

    package func noteUse(at now: Instant, _ connection: borrowing Connection) throws {
        let expiry = credential.expiry(usedAt: now, by: account.kind)
        try CredentialStore.noteUse(of: credential.id, at: now, until: expiry, connection)
        guard credential.staysUntil != nil else { return }
        try KnownOriginStore.noteUse(of: credential.id, by: account.id, at: now, connection)
    }
}
