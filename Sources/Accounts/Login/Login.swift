import Foundation
import Identity
import Records
import Secrets
import Web
import Wording

/// Checks address and password, for page and call alike.
enum Login {
    /// - Throws: `Problem.wrongCredentials` both for an unknown address and a wrong password, `.tooManyRequests`
    ///   after too many wrong ones.
    static func check(email: String, password: String, _ c: Context<Anyone>) throws -> AccountRecord {
        let services = c.services
        let now = c.now
        let lookup = services.keys.lookup(email: InputReader.address(email))
        let found = try c.read { connection in
            // Registrations of one address have passwords of their own until one of them is proved.
            try AccountStore.find(lookup: lookup, connection).map { [$0] }
                ?? AccountStore.registrations(of: lookup, connection)
        }
        let source = try c.trySource(of: found.first?.id)
        try services.logins.begin(lookup, from: source, now: now)
        guard let account = try owner(of: password, among: found, services.gate) else {
            try c.write(.signInFailed, by: .nobody, about: found.first?.id) { _ in }
            throw Problem.wrongCredentials
        }
        // A closed account answers like an unknown one.
        let isInvited = account.kind == .staff && account.verifiedAt == nil
        if account.disabledAt != nil || isInvited { throw Problem.wrongCredentials }
        // A password that is right for one of several registrations of an address forgives no tries at the others.
        if found.count == 1 { try services.logins.right(lookup, from: source, now: now) }
        try renewHash(of: account, password, c)
        return account
    }

    /// The first of these whose password it is; without any it takes as long as with one.
    private static func owner(
        of password: String, among accounts: [AccountRecord], _ gate: PasswordHasher
    ) throws -> AccountRecord? {
        if accounts.isEmpty { _ = try gate.verify(password, against: nil) }
        return try accounts.first { try gate.verify(password, against: $0.passwordHash) }
    }

    /// Renews hashes made with older settings while the password is known.
    private static func renewHash(
        of account: AccountRecord, _ password: String, _ c: Context<Anyone>
    ) throws {
        guard PasswordHash.isOutdated(account.passwordHash) else { return }
        let hash = try c.services.gate.hash(password)
        try c.writeUnaudited(.spent) { connection in
            try AccountStore.renewPasswordHash(
                hash, instead: account.passwordHash, of: account.id, connection)
        }
    }
}
