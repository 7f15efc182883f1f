import Database
import Records
import Therapies
import Wire
import Wording

/// An eight-digit code that ties one account to one therapy, once (IO-4).
package struct PairingCodeRecord: Sendable, FromRow {
    package let id: ID<PairingCode>
    let therapyID: ID<Therapy>
    let createdAt: Instant
    package let expiresAt: Instant
    let usedAt: Instant?
    let replacedAt: Instant?
    private let sealed: [UInt8]?

    static let digits = 8
    static let defaultDays: Int64 = 14
    /// The number of days invalid codes are kept to explain why; after that they are unknown.
    static let memoryDays: Int64 = 30

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapyID = try row["therapy_id"]
        sealed = try row["code"]
        createdAt = try row["created_at"]
        expiresAt = try row["expires_at"]
        usedAt = try row["used_at"]
        replacedAt = try row["replaced_at"]
    }

    package func isLive(at now: Instant) -> Bool { usedAt == nil && replacedAt == nil && expiresAt > now }

    /// The eight digits, readable as long as the code lives.
    package func code(_ key: PersonKey) throws -> String? {
        guard let sealed else { return nil }
        return try key.open(sealed, from: TherapyPlace.code(id))
    }

    /// Why a code does not work, each reason in its own words; nil when it does.
    func problem(at now: Instant) -> Problem? {
        if usedAt != nil { return .gone(Message("pairing.code_used")) }
        if replacedAt != nil { return .gone(Message("pairing.code_replaced")) }
        if expiresAt <= now { return .gone(Message("pairing.code_expired")) }
        return nil
    }

    /// The eight digits as typed, in whatever script and with whatever stands between them; nil for anything else.
    package static func normalised(_ text: String) -> String? {
        let plain = TypedCode.digits(text)
        let isCode = plain.utf8.count == digits && plain.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isCode ? plain : nil
    }

    /// `3942 0603`, two groups with one blank.
    package static func grouped(_ code: String) -> String { "\(code.prefix(4)) \(code.suffix(4))" }
}

extension AuditAction {
    static let pairingCodeMade = AuditAction(name: "pairing.code_made")
    static let devicePaired = AuditAction(name: "pairing.paired")
}
