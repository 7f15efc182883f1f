import Database
import Records
import Wire

/// One course of one person with one therapist; called the patient in the API and on pages.
package struct Therapy: Sendable, FromRow {
    package enum Arm: String, Sendable, SQLConvertible {
        case full
        case noInterventions = "no_interventions"
        case noApp = "no_app"
    }

    package let id: ID<Therapy>
    package let therapistID: ID<Account>
    /// Nil before pairing.
    package let accountID: ID<Account>?
    /// The account that owns the sheets filled in before pairing, on paper or behind a link; it cannot sign in.
    package let holderID: ID<Account>?
    package let codename: String
    package let gender: Gender?
    package let createdAt: Instant
    package let pairedAt: Instant?
    /// When its therapist took it over; nil for the first one.
    package let ledSince: Instant?
    package let startedOn: LocalDate?
    /// Planned.
    package let endsOn: LocalDate?
    package let endedAt: Instant?
    package let endedOn: LocalDate?
    package let lastActivityAt: Instant?
    /// The arm of a controlled study (IO-21); nil outside of one.
    package let arm: Arm?
    private let wrappedKey: [UInt8]
    private let sealedNote: [UInt8]?
    private let sealedAlias: [UInt8]?
    private let sealedBirthDate: [UInt8]?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapistID = try row["therapist_id"]
        accountID = try row["account_id"]
        holderID = try row["holder_id"]
        codename = try row["codename"]
        gender = try row["gender"]
        createdAt = try row["created_at"]
        pairedAt = try row["paired_at"]
        ledSince = try row["led_since"]
        startedOn = try row["started_on"]
        endsOn = try row["ends_on"]
        endedAt = try row["ended_at"]
        endedOn = try row["ended_on"]
        lastActivityAt = try row["last_activity_at"]
        wrappedKey = try row["wrapped_key"]
        arm = try row["arm"]
        sealedNote = try row["note"]
        sealedAlias = try row["alias"]
        sealedBirthDate = try row["birth_date"]
    }

    /// Whether neither pairing nor the end of the therapy has changed since an earlier read.
    package func isWithTheSamePerson(as later: Therapy) -> Bool {
        accountID == later.accountID && pairedAt == later.pairedAt && endedAt == later.endedAt
    }

    /// The therapy's page.
    package var path: String { "/patients/\(id)" }

    /// Whether an account's sheets are those of this therapy: the patient's, or the holder's.
    package func takesSheets(of account: ID<Account>) -> Bool {
        account == accountID || account == holderID
    }

    /// Whether it is asked anything by an app: a group without one fills in paper (IO-21).
    package var asksByApp: Bool { arm != .noApp }

    /// A control group gets none (IO-21).
    package var mayReceiveInterventions: Bool { arm == nil || arm == .full }

    /// - Throws: `SealBroken` when the row was tampered with.
    package func key(_ keys: Keyring) throws -> PersonKey { try keys.unwrap(wrappedKey, owner: id) }

    package func note(_ keys: Keyring) throws -> String? {
        guard let sealedNote else { return nil }
        return try key(keys).open(sealedNote, from: TherapyPlace.note(id))
    }

    /// The therapist's name for the patient (PR-6), for any reader; pages use `name(for:_:)`.
    package func alias(_ keys: Keyring) throws -> String? {
        guard let sealedAlias else { return nil }
        return try key(keys).open(sealedAlias, from: TherapyPlace.alias(id))
    }

    package func birthDate(_ keys: Keyring) throws -> LocalDate? {
        guard let sealedBirthDate else { return nil }
        return LocalDate(try key(keys).open(sealedBirthDate, from: TherapyPlace.birthDate(id)))
    }
}

extension Therapy: KeyHolder {}

/// The places of a therapy's sealed fields.
package enum TherapyPlace {
    package static func note(_ id: ID<Therapy>) -> SealContext { SealContext("therapies", id, "note") }
    package static func alias(_ id: ID<Therapy>) -> SealContext { SealContext("therapies", id, "alias") }
    package static func birthDate(_ id: ID<Therapy>) -> SealContext {
        SealContext("therapies", id, "birth_date")
    }
    package static func code(_ id: ID<PairingCode>) -> SealContext {
        SealContext("pairing_codes", id, "code")
    }
}

/// A codename: `C` and six random digits, or the therapist's own.
package enum Codename {
    package static func random(_ chance: Randomness) -> String { "C" + chance.digits(6) }

    /// `[A-Z]{1,3}[0-9]{4,8}`.
    package static func isValid(_ text: String) -> Bool {
        let letters = text.utf8.prefix { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }.count
        let digits = text.utf8.dropFirst(letters)
        return (1...3).contains(letters) && (4...8).contains(digits.count)
            && digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}

extension AuditAction {
    package static let patientCreated = AuditAction(name: "patient.created")
    package static let patientChanged = AuditAction(name: "patient.changed")
}
