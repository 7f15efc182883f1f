import Database
import Records
import Web
import Wire
import Wording

/// Every statement about therapies.
package enum TherapyStore {
    /// The same as `Therapy.asksByApp`.
    package static let asksByApp: SQL = "therapies.arm IS DISTINCT FROM 'no_app'"

    package static let revision: RevisionOf = { places, therapist, connection in
        guard let id = ID<Therapy>(uuid: places["patient"]) else { return nil }
        return try connection.revision(
            """
            SELECT codename, note, alias, started_on, ends_on, account_id, paired_at, ended_at FROM therapies
            WHERE id = \(id) AND therapist_id = \(therapist)
            """)
    }

    /// The revision of the switch for dailies: whether they are off, and since when.
    package static let dailies: RevisionOf = { places, _, connection in
        guard let id = ID<Therapy>(uuid: places["patient"]) else { return nil }
        return try connection.revision("SELECT dailies_off_at FROM therapies WHERE id = \(id)")
    }

    /// One of the therapist's own patients; nil for another's as for none.
    package static func find(_ id: ID<Therapy>, of therapist: ID<Account>, _ connection: borrowing Connection)
        throws
        -> Therapy?
    {
        try connection.first("SELECT * FROM therapies WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    /// Any therapy by its id, for the program's own work; requests reach theirs through their account.
    package static func find(_ id: ID<Therapy>, _ connection: borrowing Connection) throws -> Therapy? {
        try connection.first("SELECT * FROM therapies WHERE id = \(id)")
    }

    /// The running therapy of a patient's account.
    package static func running(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> Therapy?
    {
        try connection.first("SELECT * FROM therapies WHERE account_id = \(account) AND ended_at IS NULL")
    }

    /// Every running one.
    package static func running(_ connection: borrowing Connection) throws -> [Therapy] {
        try connection.all("SELECT * FROM therapies WHERE ended_at IS NULL ORDER BY codename")
    }

    /// Running and ended ones.
    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws -> [Therapy] {
        try connection.all("SELECT * FROM therapies WHERE account_id = \(account) ORDER BY created_at")
    }

    /// A therapist's patients, the newest first.
    package static func caseload(of therapist: ID<Account>, _ connection: borrowing Connection) throws
        -> [Therapy]
    {
        try connection.all(
            "SELECT * FROM therapies WHERE therapist_id = \(therapist) ORDER BY created_at DESC, id")
    }

    /// - Throws: `Problem.conflict` when the codename is taken.
    package static func insert(_ new: NewTherapy, _ connection: borrowing Connection) throws {
        do {
            try connection.run(
                """
                INSERT INTO therapies (id, therapist_id, codename, wrapped_key, note, alias, created_at, started_on, ends_on)
                VALUES (\(new.id), \(new.therapist), \(new.codename), \(new.wrappedKey), \(new.note), \(new.alias),
                    \(new.createdAt), \(new.startedOn), \(new.endsOn))
                """)
        } catch let error as DatabaseError where error.violates("therapies.codename") {
            throw Problem.conflict(
                Message("errors.codename_taken"), FieldErrors("codename", "errors.codename_taken"))
        }
    }

    package static func setNote(
        _ sealed: [UInt8]?, of id: ID<Therapy>, therapist: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET note = \(sealed) WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    package static func setAlias(
        _ sealed: [UInt8]?, of id: ID<Therapy>, therapist: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET alias = \(sealed) WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    package static func setStart(
        _ date: LocalDate?, of id: ID<Therapy>, therapist: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET started_on = \(date) WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    package static func setPlannedEnd(
        _ date: LocalDate?, of id: ID<Therapy>, therapist: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET ends_on = \(date) WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    /// Pairs an account with a therapy that has none yet.
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
            try OwnSharingStore.begin(pairing.therapy, of: pairing.account, connection)
        } catch let error as DatabaseError where error.violates("therapies.account_id") {
            throw Problem.conflict(Message("pairing.already_paired"))
        }
    }

    package static func noteActivity(in id: ID<Therapy>, at now: Instant, _ connection: borrowing Connection)
        throws
    {
        try connection.run(
            """
            UPDATE therapies SET last_activity_at = \(now)
            WHERE id = \(id) AND (last_activity_at IS NULL OR last_activity_at < \(now))
            """)
    }

    package static func end(
        _ id: ID<Therapy>, on date: LocalDate, at now: Instant, therapist: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE therapies SET ended_at = \(now), ended_on = \(date)
            WHERE id = \(id) AND therapist_id = \(therapist) AND ended_at IS NULL
            """)
    }

    /// Separates a therapy from an account that was paired by mistake.
    package static func unpair(
        _ id: ID<Therapy>, startedOn start: LocalDate?, _ connection: borrowing Connection
    ) throws {
        try OwnSharingStore.forget(id, connection)
        try connection.run(
            """
            UPDATE therapies SET account_id = NULL, paired_at = NULL, birth_date = NULL, gender = NULL,
                started_on = \(start), last_activity_at = NULL, dailies_until = NULL, dailies_zone = NULL
            WHERE id = \(id) AND ended_at IS NULL
            """)
    }

    package static func handOver(
        _ id: ID<Therapy>, to therapist: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET therapist_id = \(therapist), led_since = \(now) WHERE id = \(id)")
    }

    // MARK: Groups

    /// - Parameter arm: nil when the therapy continues without a group.
    package static func setArm(
        _ arm: Therapy.Arm?, of id: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE therapies SET arm = \(arm) WHERE id = \(id)")
    }

    /// Puts it back into a group: a therapy that has ended or is in one stays unchanged.
    package static func giveBack(
        _ arm: Therapy.Arm, to id: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE therapies SET arm = \(arm) WHERE id = \(id) AND arm IS NULL AND ended_at IS NULL")
    }

    // MARK: Dailies

    /// Notes until when dailies are planned.
    package static func setPlanned(
        until day: LocalDate, zone: String, in id: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE therapies SET dailies_until = \(day), dailies_zone = \(zone)
            WHERE id = \(id) AND ended_at IS NULL
            """)
    }

    /// Has dailies planned again from today on; those planned stay.
    package static func replan(_ id: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE therapies SET dailies_until = NULL WHERE id = \(id) AND ended_at IS NULL")
    }

    /// - Throws: `Problem.notFound` when the therapist has no such running patient.
    package static func setDailiesOff(
        _ at: Instant?, in id: ID<Therapy>, therapist: ID<Account>, _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            """
            UPDATE therapies SET dailies_off_at = \(at), dailies_until = NULL
            WHERE id = \(id) AND therapist_id = \(therapist) AND ended_at IS NULL
            """)
        if changed == 0 { throw Problem.notFound }
    }

    // MARK: Keys

    /// The wrapped keys of all therapies.
    package static func wrappedKeys(
        _ connection: borrowing Connection
    ) throws -> [(id: ID<Therapy>, wrapped: [UInt8])] {
        try connection.all("SELECT id, wrapped_key FROM therapies") { row in (try row[0], try row[1]) }
    }

    package static func setWrappedKey(_ key: [UInt8], of id: ID<Therapy>, _ connection: borrowing Connection)
        throws
    {
        try connection.run("UPDATE therapies SET wrapped_key = \(key) WHERE id = \(id)")
    }

    // MARK: Going

    /// An account's therapies with all that belongs to them, and the keys.
    package static func erase(of account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM therapies WHERE account_id = \(account)")
    }

    /// A therapy without an account, or one that an old copy brought back without it.
    package static func erase(_ id: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM therapies WHERE id = \(id)")
    }
}
