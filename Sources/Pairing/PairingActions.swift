import Accounts
import Identity
import Protocols
import Records
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// Pairing an account, for page and call alike (IO-4).
package enum PairingActions {
    /// - Returns: the profile after pairing.
    /// - Throws: `Problem` when the account is paired already, and the errors of an invalid code.
    @discardableResult
    package static func pair(_ draft: PairingDraft, _ c: Context<Member>) throws -> Wire.Profile {
        let account = c.proof.account
        if try c.read({ try TherapyStore.running(of: account.id, $0) }) != nil {
            throw Problem.conflict(Message("pairing.already_paired"))
        }
        let code = try PairingTry.find(draft.code, c)
        let today = LocalTime(c.now, Zone(account.timezone)).date
        return try c.write(.devicePaired, about: code.therapyID, object: account.id) {
            [keys = c.keys, now = c.now, services = c.services] connection in
            let key = try PairingStore.key(of: code.therapyID, keys, connection)
            let birthDate = key.seal(draft.birthDate.text, for: TherapyPlace.birthDate(code.therapyID))
            try PairingStore.spend(code.id, at: now, connection)
            try TherapyStore.pair(
                Paired(
                    therapy: code.therapyID, account: account.id, birthDate: birthDate, gender: draft.gender,
                    at: now, on: today), connection)
            try GroupStore.adopt(code.therapyID, of: account.id, at: now, connection)
            try SharingNotices.tell(account, pairedWith: code.therapyID, c, connection)
            try ProtocolPlanner.reconcile(code.therapyID, services, now: now, connection)
            return try ProfileAPI.wire(account, keys, connection)
        }
    }

    package static func therapist(of code: PairingCodeRecord, _ c: Context<Member>) throws -> String? {
        try c.read { connection in
            let therapist = try PairingStore.therapist(of: code.therapyID, connection)
            return try therapist.flatMap { try TherapistStore.card(of: $0, c.keys, connection)?.fullName }
        }
    }
}

/// The app's request to pair. Made only by reading.
package struct PairingDraft: Sendable {
    package let code: String
    package let birthDate: LocalDate
    package let gender: Gender

    /// - Throws: `Problem.invalid`.
    package static func read(_ fields: InputReader, now: Instant) throws(Problem) -> PairingDraft {
        let code = fields.text("code", required: true, limit: 40)
        let birthDate = fields.date("birth_date", required: true)
        let gender: Gender? = fields.choice("gender", required: true)
        let today = LocalTime(now, Zone("UTC")).date
        if let birthDate, birthDate > today || birthDate.year < today.year - 130 {
            fields.refuse("birth_date", "errors.birth_date")
        }
        try fields.finish()
        guard let code, let birthDate, let gender else {
            throw .invalid(fields.errors)
        }
        return PairingDraft(code: code, birthDate: birthDate, gender: gender)
    }
}

/// A try with a code. Eight digits can be guessed, so wrong ones are counted: per account and over all accounts.
package enum PairingTry {
    static let wrongPerHour = 10
    static let wrongPerDay = 100

    /// - Throws: `Problem.unknown` for an unknown or malformed code, `.gone` for an invalid one with the reason,
    ///   `.tooManyRequests` after ten wrong ones.
    package static func find(_ text: String, _ c: Context<Member>) throws -> PairingCodeRecord {
        let limiter = c.services.limiter
        let key = "pairing \(c.proof.account.id)"
        try limiter.check(key, limit: wrongPerHour, now: c.now)
        let found = try PairingCodeRecord.normalised(text).flatMap { code in
            try c.read { try PairingStore.find(lookup: c.keys.lookup(code: code), $0) }
        }
        if let found, found.isLive(at: c.now) { return found }
        try limiter.count(key, limit: wrongPerHour, seconds: 3600, now: c.now)
        try watchAll(c)
        throw found?.problem(at: c.now) ?? Problem.unknown(Message("pairing.code_unknown"))
    }

    /// A hundred wrong codes a day over the whole server raise an alarm and slow every further wrong try; they never
    /// close pairing, as an attacker could then block it.
    private static func watchAll(_ c: Context<Member>) throws {
        let limiter = c.services.limiter
        try limiter.count("pairing", limit: .max, seconds: 86_400, now: c.now)
        guard try limiter.value("pairing", now: c.now) > wrongPerDay else { return }
        c.services.log.line("alarm", "many wrong pairing codes", at: c.now)
        c.services.delay(seconds: 2)
    }
}
