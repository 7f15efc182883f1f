import Database
import Records
import Scheduling
import Web
import Wire

/// Every statement about pauses.
package enum PauseStore {
    /// The pauses that apply to a patient: their own and their therapist's since the therapy is theirs.
    package static func all(for therapy: Therapy, _ connection: borrowing Connection) throws -> [PauseRecord]
    {
        try ever(for: therapy, connection).filter { $0.removedAt == nil }
    }

    /// The same with those that were removed after they had begun.
    package static func ever(for therapy: Therapy, _ connection: borrowing Connection) throws -> [PauseRecord]
    {
        let all: [PauseRecord] = try connection.all(
            """
            SELECT * FROM pauses WHERE therapy_id = \(therapy.id)
            OR (therapy_id IS NULL AND therapist_id = \(therapy.therapistID)) ORDER BY starts_on, id
            """)
        guard let since = therapy.ledSince.map(day) else { return all }
        return all.filter { $0.therapyID != nil || $0.endsOn >= since }
    }

    /// The day of a moment, for what has whole days and no zone.
    private static func day(_ moment: Instant) -> LocalDate { LocalTime(moment, Zone("UTC")).date }

    /// A therapist's own holidays.
    package static func own(of therapist: ID<Account>, _ connection: borrowing Connection) throws
        -> [PauseRecord]
    {
        try connection.all(
            """
            SELECT * FROM pauses WHERE therapist_id = \(therapist) AND therapy_id IS NULL AND removed_at IS NULL
            ORDER BY starts_on, id
            """)
    }

    /// All pauses that end on a day or later.
    package static func notOver(by day: LocalDate, _ connection: borrowing Connection) throws -> [PauseRecord]
    {
        try connection.all("SELECT * FROM pauses WHERE ends_on >= \(day) AND removed_at IS NULL")
    }

    /// One of the therapist's, for a patient of theirs or, with nil, their own.
    package static func find(
        _ id: ID<PauseRecord>, of therapist: ID<Account>, therapy: ID<Therapy>?,
        _ connection: borrowing Connection
    ) throws -> PauseRecord? {
        let pause: PauseRecord? = try connection.first(
            "SELECT * FROM pauses WHERE id = \(id) AND therapist_id = \(therapist) AND removed_at IS NULL")
        return pause?.therapyID == therapy ? pause : nil
    }

    /// A removed one that can still be brought back.
    package static func removed(
        _ id: ID<PauseRecord>, of therapist: ID<Account>, therapy: ID<Therapy>?, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> PauseRecord? {
        let pause: PauseRecord? = try connection.first(
            """
            SELECT * FROM pauses WHERE id = \(id) AND therapist_id = \(therapist)
            AND removed_at >= \(undoableSince(now))
            """)
        return pause?.therapyID == therapy ? pause : nil
    }

    package static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<PauseRecord>(uuid: places["pause"]) else { return nil }
        return try connection.revision("SELECT removed_at, starts_on, ends_on FROM pauses WHERE id = \(id)")
    }

    package static func insert(
        _ draft: PauseDraft, id: ID<PauseRecord>, of therapist: ID<Account>, therapy: ID<Therapy>?,
        cover: [UInt8]?,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO pauses (id, therapist_id, therapy_id, starts_on, ends_on, cover, made_at)
            VALUES (\(id), \(therapist), \(therapy), \(draft.startsOn), \(draft.endsOn), \(cover), \(now))
            """)
    }

    /// Undoing is for slips.
    private static func undoableSince(_ now: Instant) -> Instant { now.adding(days: -1) }

    /// Removes a pause; it is kept for a while, to be brought back.
    package static func remove(
        _ id: ID<PauseRecord>, of therapist: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE pauses SET removed_at = \(now) WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    package static func bringBack(
        _ id: ID<PauseRecord>, of therapist: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE pauses SET removed_at = NULL WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    /// Removed pauses are deleted for good a day later. Of those that had begun the days stay: they say which prompts
    /// of studies could not be seen, and since when a silence counts.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        let last = undoableSince(now)
        try connection.run("DELETE FROM pauses WHERE removed_at < \(last) AND starts_on >= \(day(last))")
        try connection.run(
            "UPDATE pauses SET cover = NULL WHERE removed_at < \(last) AND cover IS NOT NULL")
    }

    /// Gives a patient's pauses to the new therapist. The holidays of the former one stay as the patient's own: one
    /// that is over as it is, one that runs as removed now. They are copied, because they go on for other patients;
    /// those from before the pairing are none of this patient's.
    /// - Parameter therapy: before it is handed over.
    package static func handOver(
        _ therapy: Therapy, to therapist: ID<Account>, _ chance: Randomness, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        // A day has begun in every zone 14 hours before it does in UTC, and ends 12 hours after it.
        let paired = therapy.pairedAt.map { day($0).adding(days: -1) }
        for pause in try ever(for: therapy, connection) where pause.therapyID == nil {
            guard let paired, paired <= pause.endsOn, pause.startsOn <= day(now) else { continue }
            let id: ID<PauseRecord> = chance.id()
            let made = max(pause.madeAt, therapy.ledSince ?? .distantPast)
            let removed = pause.removedAt ?? (pause.endsOn < day(now) ? nil : now)
            try connection.run(
                """
                INSERT INTO pauses (id, therapist_id, therapy_id, starts_on, ends_on, made_at, removed_at)
                VALUES (\(id), \(therapist), \(therapy.id), \(pause.startsOn), \(pause.endsOn), \(made), \(removed))
                """)
        }
        try connection.run(
            "UPDATE pauses SET therapist_id = \(therapist) WHERE therapy_id = \(therapy.id)")
    }
}
