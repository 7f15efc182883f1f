import Database
import Records
import Web
import Wire
import Wording

/// Every statement about therapies.
package enum TherapyStore {
    package static let revision: RevisionOf = { places, therapist, connection in
        guard let id = places["patient"].flatMap(uuid) else { return nil }
        return try connection.revision(
            """
            SELECT codename, note, started_on, ends_on, account_id, paired_at, ended_at FROM therapies
            WHERE id = \(id) AND therapist_id = \(therapist)
            """)
    }

    /// One of the therapist's own patients; nil for somebody else's as for none.
    package static func find(_ id: String, of therapist: String, _ connection: borrowing Connection) throws
        -> Therapy?
    {
        try connection.first("SELECT * FROM therapies WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    /// Any therapy by its id, for the program's own work; people reach theirs through themselves.
    package static func find(_ id: String, _ connection: borrowing Connection) throws -> Therapy? {
        try connection.first("SELECT * FROM therapies WHERE id = \(id)")
    }

    /// The therapy a patient's account is paired with now.
    package static func running(of account: String, _ connection: borrowing Connection) throws -> Therapy? {
        try connection.first("SELECT * FROM therapies WHERE account_id = \(account) AND ended_at IS NULL")
    }

    /// Running and ended ones.
    package static func all(of account: String, _ connection: borrowing Connection) throws -> [Therapy] {
        try connection.all("SELECT * FROM therapies WHERE account_id = \(account) ORDER BY created_at")
    }

    /// A therapist's patients, the newest first.
    package static func caseload(of therapist: String, _ connection: borrowing Connection) throws -> [Therapy]
    {
        try connection.all(
            "SELECT * FROM therapies WHERE therapist_id = \(therapist) ORDER BY created_at DESC, id")
    }

    /// - Throws: `Problem.conflict` when the codename is taken.
    package static func insert(_ new: NewTherapy, _ connection: borrowing Connection) throws {
        do {
            try connection.run(
                """
                INSERT INTO therapies (id, therapist_id, codename, wrapped_key, note, created_at, started_on, ends_on)
                VALUES (\(new.id), \(new.therapist), \(new.codename), \(new.wrappedKey), \(new.note),
                    \(new.createdAt), \(new.startedOn), \(new.endsOn))
                """)
        } catch let error as DatabaseError where error.violates("therapies.codename") {
            throw Problem.conflict(
                Message("errors.codename_taken"), FieldErrors("codename", "errors.codename_taken"))
        }
    }

    package static func setNote(
        _ sealed: [UInt8]?, of id: String, therapist: String, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET note = \(sealed) WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    package static func setStart(
        _ date: LocalDate?, of id: String, therapist: String, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET started_on = \(date) WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    package static func setPlannedEnd(
        _ date: LocalDate?, of id: String, therapist: String, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET ends_on = \(date) WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    /// Ties an account to a therapy that nobody is paired with yet.
    /// - Throws: `Problem.conflict` when the account is paired already.
    package static func pair(_ pairing: Paired, _ connection: borrowing Connection) throws {
        do {
            let changed = try connection.run(
                """
                UPDATE therapies SET account_id = \(pairing.account), paired_at = \(pairing.at),
                    birth_date = \(pairing.birthDate), gender = \(pairing.gender),
                    started_on = coalesce(started_on, \(pairing.on)), last_activity_at = \(pairing.at)
                WHERE id = \(pairing.therapy) AND account_id IS NULL AND ended_at IS NULL
                """)
            if changed == 0 { throw Problem.gone(Message("pairing.code_used")) }
        } catch let error as DatabaseError where error.violates("therapies.account_id") {
            throw Problem.conflict(Message("pairing.already_paired"))
        }
    }

    /// In the transaction that stores something: a pairing may have been undone meanwhile.
    /// - Throws: `Problem.forbidden`.
    package static func requirePaired(
        _ account: String, with id: String, _ connection: borrowing Connection
    ) throws {
        let isPaired = try connection.exists(
            "SELECT 1 FROM therapies WHERE id = \(id) AND account_id = \(account)")
        if !isPaired { throw Problem.forbidden(Message("problems.not_paired")) }
    }

    package static func noteActivity(in id: String, at now: Instant, _ connection: borrowing Connection)
        throws
    {
        try connection.run(
            """
            UPDATE therapies SET last_activity_at = \(now)
            WHERE id = \(id) AND (last_activity_at IS NULL OR last_activity_at < \(now))
            """)
    }

    package static func end(
        _ id: String, on date: LocalDate, at now: Instant, therapist: String,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE therapies SET ended_at = \(now), ended_on = \(date)
            WHERE id = \(id) AND therapist_id = \(therapist) AND ended_at IS NULL
            """)
    }
}

/// A therapy about to be stored, its note sealed under a fresh key of its own.
package struct NewTherapy: Sendable {
    package let id: String
    package let therapist: String
    package let codename: String
    package let wrappedKey: [UInt8]
    package let note: [UInt8]?
    package let createdAt: Instant
    package let startedOn: LocalDate?
    package let endsOn: LocalDate?
    package let key: PersonKey

    package init(
        _ draft: PatientDraft, codename: String, of therapist: String, id: String, keys: Keyring, now: Instant
    ) {
        key = PersonKey(owner: id)
        (self.id, self.therapist, self.codename, createdAt) = (id, therapist, codename, now)
        startedOn = draft.startedOn
        endsOn = draft.endsOn
        wrappedKey = keys.wrap(key)
        note = draft.note.map { [key] in key.seal($0, for: TherapyPlace.note(id)) }
    }
}

/// A therapy about to be tied to an account.
package struct Paired: Sendable {
    package let therapy: String
    package let account: String
    package let birthDate: [UInt8]
    package let gender: Gender
    package let at: Instant
    /// The day of pairing where the patient is.
    package let on: LocalDate

    package init(
        therapy: String, account: String, birthDate: [UInt8], gender: Gender, at: Instant, on: LocalDate
    ) {
        self.therapy = therapy
        self.account = account
        self.birthDate = birthDate
        self.gender = gender
        self.at = at
        self.on = on
    }
}
