import Database
import Foundation
import HTTP
import Secrets
import Wire

/// The secret that an account shares with an authenticator app.
struct SecondFactorRecord: Sendable, FromRow {
    let account: String
    let lastStep: Int64
    /// Nil while it is being set up: it counts for nothing until a code of it was given.
    let confirmedAt: Instant?
    private let sealed: [UInt8]

    init(row: borrowing Row) throws {
        (account, sealed) = (try row["account_id"], try row["secret"])
        let step: Int = try row["last_step"]
        (lastStep, confirmedAt) = (Int64(step), try row["confirmed_at"])
    }

    static func place(_ account: String) -> Place { Place("second_factors", account, "secret") }

    /// - Throws: `SealBroken` when the row was tampered with.
    func secret(_ key: PersonKey) throws -> [UInt8] {
        try key.openBytes(sealed, from: Self.place(account))
    }

    /// What the app scans (the key URI that authenticator apps agree on).
    func uri(_ account: AccountRecord, _ keys: Keyring) throws -> String {
        let secret = OneTimeCode.base32(try secret(try account.key(keys)))
        let label = percentEncoded("Intersession:" + (try account.email(keys)))
        return "otpauth://totp/\(label)?secret=\(secret)&issuer=Intersession"
    }
}

/// Ten codes for when the app is lost: eighty random bits each, in four groups of four letters and digits.
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
enum SecondFactor {
    /// What stands between a right password and the portal.
    enum Step: Sendable, Equatable {
        /// Nothing.
        case none
        /// A code has to be given.
        case code
        /// It has to be set up first.
        case setUp
    }

    static func step(for account: AccountRecord, _ services: Services) throws -> Step {
        guard account.kind == .staff else { return .none }
        let record = try services.records.read { try SecondFactorStore.find(account.id, $0) }
        if record?.confirmedAt != nil { return .code }
        return services.settings.secondFactor == .required ? .setUp : .none
    }

    /// Takes a code, once.
    /// - Throws: `Problem.tooManyRequests` after too many wrong ones.
    static func isRight(
        _ text: String, for account: AccountRecord, from address: String, _ services: Services, now: Instant
    ) throws -> Bool {
        // Counted apart from passwords: a right password must not forgive wrong codes.
        let key = Array("second factor \(account.id)".utf8)
        try services.logins.begin(key, from: address, now: now)
        let code = text.filter { !$0.isWhitespace }
        guard try take(code, account, services, now) else {
            try services.records.write(.signInFailed, by: nil, about: account.id, at: now) { _ in }
            return false
        }
        services.logins.right(key, from: address)
        return true
    }

    private static func take(
        _ code: String, _ account: AccountRecord, _ services: Services, _ now: Instant
    ) throws -> Bool {
        let id = account.id
        guard let record = try services.records.read({ try SecondFactorStore.find(id, $0) }),
            record.confirmedAt != nil
        else { return false }
        let secret = try record.secret(try account.key(services.keys))
        if let step = OneTimeCode.step(of: code, secret, at: now.seconds, after: record.lastStep) {
            return try services.records.keepHouse { try SecondFactorStore.spend(step: step, of: id, $0) }
        }
        let lookup = services.keys.lookup(recoveryCode: code)
        let isSpent = try services.records.keepHouse { connection in
            try SecondFactorStore.spend(code: lookup, of: id, at: now, connection)
        }
        if isSpent {
            try services.records.write(.recoveryCodeUsed, by: id, about: id, at: now) { _ in }
        }
        return isSpent
    }

    // MARK: Setting up

    /// The secret that is being set up; made when there is none yet.
    static func beginning(_ account: AccountRecord, _ services: Services, now: Instant) throws
        -> SecondFactorRecord
    {
        if let record = try services.records.read({ try SecondFactorStore.find(account.id, $0) }) {
            return record
        }
        let key = try account.key(services.keys)
        let place = SecondFactorRecord.place(account.id)
        let sealed = key.seal(bytes: OneTimeCode.newSecret(), for: place)
        let made = try services.records.keepHouse { connection in
            try SecondFactorStore.begin(sealed, for: account.id, at: now, connection)
            return try SecondFactorStore.find(account.id, connection)
        }
        guard let made else { throw Problem.notFound }
        return made
    }

    /// Counts from now on, once a code of it is given.
    /// - Returns: recovery codes, to be shown this once; nil for a wrong code.
    static func confirm(
        _ text: String, for account: AccountRecord, _ services: Services, now: Instant
    ) throws -> RecoveryCodes? {
        let record = try beginning(account, services, now: now)
        guard record.confirmedAt == nil else { throw Problem.conflict(Message("factor.set_up_already")) }
        let code = text.filter { !$0.isWhitespace }
        let secret = try record.secret(try account.key(services.keys))
        guard let step = OneTimeCode.step(of: code, secret, at: now.seconds, after: 0) else { return nil }
        let codes = RecoveryCodes()
        let lookups = codes.lookups(services.keys)
        try services.records.write(.secondFactorSet, by: account.id, about: account.id, at: now) {
            connection in
            try SecondFactorStore.confirm(account.id, step: step, at: now, connection)
            try SecondFactorStore.setCodes(lookups, of: account.id, connection)
        }
        return codes
    }

    static func renewCodes(of account: AccountRecord, _ services: Services, now: Instant) throws
        -> RecoveryCodes
    {
        let codes = RecoveryCodes()
        let lookups = codes.lookups(services.keys)
        try services.records.write(.recoveryCodesMade, by: account.id, about: account.id, at: now) {
            connection in
            try SecondFactorStore.setCodes(lookups, of: account.id, connection)
        }
        return codes
    }
}

extension AuditAction {
    static let secondFactorSet = AuditAction(name: "second_factor.set")
    static let secondFactorRemoved = AuditAction(name: "second_factor.removed")
    static let recoveryCodeUsed = AuditAction(name: "second_factor.recovery_code_used")
    static let recoveryCodesMade = AuditAction(name: "second_factor.recovery_codes_made")
}
