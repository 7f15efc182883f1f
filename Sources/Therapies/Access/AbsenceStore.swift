import Database
import Records
import Web
import Wire

/// Every statement about absences.
package enum AbsenceStore {
    /// A therapist's absences that touch a period of days, the earliest first.
    package static func all(
        of therapist: ID<Account>, from: LocalDate, until: LocalDate, _ connection: borrowing Connection
    ) throws -> [AbsenceRecord] {
        try connection.all(
            """
            SELECT * FROM absences WHERE therapist_id = \(therapist) AND ends_on >= \(from) AND starts_on <= \(until)
            ORDER BY starts_on, id
            """)
    }

    /// A therapist's absences that are not over, the earliest first.
    package static func all(
        of therapist: ID<Account>, notOverOn day: LocalDate, _ connection: borrowing Connection
    ) throws -> [AbsenceRecord] {
        try connection.all(
            """
            SELECT * FROM absences WHERE therapist_id = \(therapist) AND ends_on >= \(day)
            ORDER BY starts_on, id
            """)
    }

    package static func find(
        _ id: ID<AbsenceRecord>, of therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> AbsenceRecord? {
        try connection.first("SELECT * FROM absences WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    package static func insert(
        _ draft: AbsenceDraft, id: ID<AbsenceRecord>, of therapist: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO absences (id, therapist_id, starts_on, ends_on, cover_id, without_cover, made_at)
            VALUES (\(id), \(therapist), \(draft.from), \(draft.until), \(draft.cover), \(draft.isWithoutCover), \(now))
            """)
    }

    package static func update(
        _ id: ID<AbsenceRecord>, to draft: AbsenceDraft, of therapist: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE absences SET starts_on = \(draft.from), ends_on = \(draft.until), cover_id = \(draft.cover),
                without_cover = \(draft.isWithoutCover)
            WHERE id = \(id) AND therapist_id = \(therapist)
            """)
    }

    /// - Returns: whether there was one.
    package static func remove(
        _ id: ID<AbsenceRecord>, of therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run("DELETE FROM absences WHERE id = \(id) AND therapist_id = \(therapist)") > 0
    }

    // MARK: Cover

    /// The first day without cover, of an absence that is not chosen so.
    package static func gap(
        in absence: AbsenceRecord, today: LocalDate, _ connection: borrowing Connection
    ) throws -> CoverGap? {
        if absence.isWithoutCover || absence.endsOn < today { return nil }
        let therapist = absence.therapistID
        let running: [ID<Therapy>] = try connection.all(
            "SELECT id FROM therapies WHERE therapist_id = \(therapist) AND ended_at IS NULL"
        ) { row in try row[0] }
        let covers: [CoverRecord] = try connection.all(
            """
            SELECT * FROM covers WHERE therapist_id = \(therapist) AND ended_at IS NULL AND ends_on >= \(today)
            """)
        let named = try connection.all(
            """
            SELECT cover_id, therapy_id FROM covers JOIN cover_patients ON cover_id = covers.id
            WHERE therapist_id = \(therapist) AND ended_at IS NULL AND ends_on >= \(today)
            """
        ) { row -> (cover: ID<CoverRecord>, therapy: ID<Therapy>) in
            (cover: try row[0], therapy: try row[1])
        }
        let patients = Dictionary(grouping: named, by: \.cover).mapValues { Set($0.map(\.therapy)) }
        return CoverGap(
            from: absence.startsOn, until: absence.endsOn, today: today, running: running,
            covers: covers.map { cover in
                (cover.startsOn, cover.endsOn, cover.isForAll ? nil : patients[cover.id] ?? [])
            })
    }

    // MARK: Sessions called off

    /// A session called off in one step, with the notice that told the patient.
    package struct CalledOff: Sendable {
        package let session: ID<Session>
        package let therapy: ID<Therapy>
        package let notice: ID<Notice>?

        package init(session: ID<Session>, therapy: ID<Therapy>, notice: ID<Notice>?) {
            self.session = session
            self.therapy = therapy
            self.notice = notice
        }
    }

    package static func calledOff(
        by absence: ID<AbsenceRecord>, _ connection: borrowing Connection
    ) throws -> [CalledOff] {
        try connection.all(
            """
            SELECT session_id, absence_sessions.therapy_id, notice_id
            FROM absence_sessions JOIN absences ON absences.id = absence_id
            JOIN therapies ON therapies.id = absence_sessions.therapy_id
                AND therapies.therapist_id = absences.therapist_id
            WHERE absence_id = \(absence) ORDER BY session_id
            """
        ) { row in CalledOff(session: try row[0], therapy: try row[1], notice: try row[2]) }
    }

    package static func note(
        _ entry: CalledOff, by absence: ID<AbsenceRecord>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO absence_sessions (absence_id, session_id, therapy_id, notice_id, called_off_at)
            VALUES (\(absence), \(entry.session), \(entry.therapy), \(entry.notice), \(now))
            ON CONFLICT (absence_id, session_id) DO UPDATE SET notice_id = excluded.notice_id,
                called_off_at = excluded.called_off_at
            """)
    }

    /// Forgets which sessions were called off, once that is undone.
    package static func forgetCalledOff(
        by absence: ID<AbsenceRecord>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM absence_sessions WHERE absence_id = \(absence)")
    }

    /// What an undo of calling off stands on: the sessions as the step left them.
    package static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<AbsenceRecord>(uuid: places["absence"]) else { return nil }
        return try connection.revision(
            """
            SELECT count(*), max(called_off_at), max(changed_at) FROM absence_sessions
            JOIN therapy_sessions ON therapy_sessions.id = session_id WHERE absence_id = \(id)
            """)
    }

    /// Removes what can no longer be undone.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM absence_sessions WHERE called_off_at < \(now.adding(days: -1))")
    }
}
