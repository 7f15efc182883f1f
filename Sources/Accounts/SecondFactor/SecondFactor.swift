import Database
import Foundation
import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// The secret that an account shares with an authenticator app.
package struct SecondFactorRecord: Sendable, FromRow {
    let account: ID<Account>
    let lastStep: Int64
    /// Wrong codes in a row.
    let failures: Int
    private let sealed: [UInt8]

    package init(row: borrowing Row) throws {
        account = try row["account_id"]
        sealed = try row["secret"]
        let step: Int = try row["last_step"]
        lastStep = Int64(step)
        failures = try row["failures"]
    }

    static func place(_ account: ID<Account>) -> SealContext {
        SealContext("second_factors", account, "secret")
    }

    /// - Throws: `SealBroken` when the row was tampered with.
    func secret(_ key: PersonKey) throws -> [UInt8] {
        try key.openBytes(sealed, from: Self.place(account))
    }
}

/// A secret that is being set up. It belongs to the sign-in that shows it and is stored only once a code of it was
/// given: it is useless to an intruder who knows the password but did not scan it.
struct PendingFactor: Sendable {
    let secret: [UInt8]

    init(_ credential: Credential, _ keys: Keyring) { secret = keys.pendingSecret(for: credential.id.text) }

    /// The text of the QR code (the key URI that authenticator apps agree on).
    func uri(_ account: AccountRecord, _ keys: Keyring) throws -> String {
        let label = percentEncoded("Intersession:" + (try account.email(keys)))
        return "otpauth://totp/\(label)?secret=\(OneTimeCode.base32(secret))&issuer=Intersession"
    }

    /// In groups of four, to be typed.
    var letters: String {
        let letters = Array(OneTimeCode.base32(secret))
        return stride(from: 0, to: letters.count, by: 4).map { start in
            String(letters[start..<min(start + 4, letters.count)])
        }.joined(separator: " ")
    }
}

/// Ten codes for a lost app: eighty random bits each, in four groups of four letters and digits.
struct RecoveryCodes: Sendable {
    let codes: [String]

    init() { codes = (0..<10).map { _ in Self.grouped(OneTimeCode.base32(SecureRandom.bytes(10))) } }

    func lookups(_ keys: Keyring) -> [[UInt8]] { codes.map { keys.lookup(recoveryCode: $0) } }

    private static func grouped(_ text: String) -> String {
        let letters = Array(text)
        return stride(from: 0, to: letters.count, by: 4).map {
            String(letters[$0..<min($0 + 4, letters.count)])
        }
        .joined(separator: "-")
    }
}

/// The second step of signing in: a code of the app, or a recovery code.
package enum SecondFactor {
    /// The step between a right password and the portal.
    enum Step: Sendable, Equatable {
        case none
        /// A code must be given.
        case code
        /// A second factor must be set up first.
        case setUp
    }

    static func step(for account: AccountRecord, _ services: Services) throws -> Step {
        guard account.kind == .staff else { return .none }
        let record = try services.records.read { try SecondFactorStore.find(account.id, $0) }
        if record != nil { return .code }
        return services.settings.secondFactor == .required ? .setUp : .none
    }

    /// After a hundred wrong ones in a row (NIST SP 800-63B) an intruder knows the password: a new one is needed.
    static let mostFailures = 100

    /// Accepts a code, once.
    /// - Throws: `Problem.tooManyRequests` after too many wrong ones, `.secondFactor` when only a new password helps.
    package static func isRight<P>(
        _ text: String, for account: AccountRecord, _ c: Context<P>
    ) throws -> Bool {
        let services = c.services
        let now = c.now
        // Counted apart from passwords: a right password must not reset the count of wrong codes.
        let key = Array("second factor \(account.id)".utf8)
        let source = try c.trySource(of: account.id)
        try services.logins.begin(key, from: source, now: now)
        let id = account.id
        guard let record = try services.records.read({ try SecondFactorStore.find(id, $0) }) else {
            return false
        }
        if record.failures >= mostFailures { throw Problem.secondFactor(Message("factor.exhausted")) }
        guard try take(text, record, account, c) else {
            try fail(account, c)
            return false
        }
        try services.logins.right(key, from: source, now: now)
        return true
    }

    private static func fail<P>(_ account: AccountRecord, _ c: Context<P>) throws {
        let id = account.id
        let notice = try FactorNotice.exhausted.envelope(to: account, c.services, now: c.now)
        try c.write(.signInFailed, by: .nobody, about: id) { connection in
            if try SecondFactorStore.countFailure(of: id, connection) == mostFailures {
                try MailStore.insert(notice, connection)
            }
        }
        c.services.deliver(at: c.now)
    }

    private static func take<P>(
        _ code: String, _ record: SecondFactorRecord, _ account: AccountRecord, _ c: Context<P>
    ) throws -> Bool {
        let services = c.services
        let now = c.now
        let id = account.id
        let secret = try record.secret(try account.key(services.keys))
        let digits = TypedCode.digits(code)
        if let step = OneTimeCode.step(of: digits, secret, at: now.seconds, after: record.lastStep) {
            return try c.writeUnaudited(.spent) { connection in
                guard try SecondFactorStore.spend(step: step, of: id, connection) else { return false }
                try SecondFactorStore.forgive(id, connection)
                return true
            }
        }
        let lookup = services.keys.lookup(recoveryCode: code)
        let isKnown = try services.records.read { connection in
            try SecondFactorStore.isUnspent(code: lookup, of: id, connection)
        }
        guard isKnown else { return false }
        let notice = try FactorNotice.codeUsed.envelope(to: account, services, now: now)
        let isSpent = try c.write(.recoveryCodeUsed, by: .account(id), about: id) { connection in
            guard try SecondFactorStore.spend(code: lookup, of: id, at: now, connection) else { return false }
            try SecondFactorStore.forgive(id, connection)
            try MailStore.insert(notice, connection)
            return true
        }
        services.deliver(at: now)
        return isSpent
    }

    // MARK: Setting up

    /// Stores the secret that this sign-in has shown, once a code of it is given.
    /// - Returns: recovery codes, to be shown this once; nil for a wrong code.
    /// - Throws: `Problem.conflict` when there is one already.
    static func confirm<P>(
        _ text: String, for account: AccountRecord, _ credential: Credential, _ c: Context<P>
    ) throws -> RecoveryCodes? {
        let services = c.services
        let now = c.now
        let code = TypedCode.digits(text)
        let id = account.id
        let secret = PendingFactor(credential, services.keys).secret
        guard let step = OneTimeCode.step(of: code, secret, at: now.seconds, after: 0) else { return nil }
        let sealed = try account.key(services.keys).seal(bytes: secret, for: SecondFactorRecord.place(id))
        let codes = RecoveryCodes()
        let lookups = codes.lookups(services.keys)
        let notice = try FactorNotice.factorSet.envelope(to: account, services, now: now)
        try c.write(.secondFactorSet, by: .account(id), about: id) { connection in
            try AccountStore.requireUnchanged(account, connection)
            guard try SecondFactorStore.insert(sealed, for: id, step: step, at: now, connection) else {
                throw Problem.conflict(Message("factor.set_up_already"))
            }
            try SecondFactorStore.setCodes(lookups, of: id, connection)
            try CredentialStore.noteFactor(in: credential.id, connection)
            try MailStore.insert(notice, connection)
        }
        services.deliver(at: now)
        return codes
    }

    static func renewCodes<P>(of account: AccountRecord, _ c: Context<P>) throws -> RecoveryCodes {
        let codes = RecoveryCodes()
        let lookups = codes.lookups(c.keys)
        let notice = try FactorNotice.codesMade.envelope(to: account, c.services, now: c.now)
        try c.write(.recoveryCodesMade, about: account.id) { connection in
            try SecondFactorStore.setCodes(lookups, of: account.id, connection)
            try MailStore.insert(notice, connection)
        }
        c.services.deliver(at: c.now)
        return codes
    }
}

/// Mails to the owner about changes of how their account signs in, so that none stays unnoticed.
package enum FactorNotice: String, Sendable {
    case factorSet = "set"
    case factorRemoved = "removed"
    case codeUsed = "used"
    case codesMade = "renewed"
    case exhausted

    package func envelope(to account: AccountRecord, _ services: Services, now: Instant) throws -> QueuedMail
    {
        let texts = services.texts(account.language)
        let mail = Mail(
            recipient: try account.email(services.keys), subject: texts["factor.\(rawValue)_subject"],
            body: texts["factor.\(rawValue)_body"])
        return try services.envelope(mail, to: try account.key(services.keys), at: now)
    }
}

extension AuditAction {
    static let secondFactorSet = AuditAction(name: "second_factor.set")
    static let secondFactorRemoved = AuditAction(name: "second_factor.removed")
    static let recoveryCodeUsed = AuditAction(name: "second_factor.recovery_code_used")
    static let recoveryCodesMade = AuditAction(name: "second_factor.recovery_codes_made")
}
