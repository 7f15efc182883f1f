import Database
import Records
import Therapies
import Wire

/// Every statement about appointments.
package enum AppointmentStore {
    /// Includes deleted ones.
    package static func find(
        _ id: ID<Appointment>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws
        -> AppointmentRecord?
    {
        try connection.first("SELECT * FROM appointments WHERE account_id = \(account) AND id = \(id)")
    }

    /// An account's appointments in a period, the latest first.
    package static func all(
        of account: ID<Account>, from: Instant, until: Instant, _ connection: borrowing Connection
    ) throws -> [AppointmentRecord] {
        try connection.all(
            """
            SELECT * FROM appointments WHERE account_id = \(account) AND deleted_at IS NULL
            AND ends_at > \(from) AND starts_at < \(until) ORDER BY starts_at DESC, id
            """)
    }

    /// The number of coming ones.
    package static func count(
        inTherapy therapy: ID<Therapy>, after now: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM appointments WHERE therapy_id = \(therapy) AND deleted_at IS NULL
            AND starts_at > \(now)
            """)
    }

    /// The appointments of a therapy, the latest first.
    package static func all(inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> [AppointmentRecord]
    {
        try connection.all(
            """
            SELECT * FROM appointments WHERE therapy_id = \(therapy) AND deleted_at IS NULL
            ORDER BY starts_at DESC, id
            """)
    }

    /// Every coming one.
    package static func coming(after now: Instant, _ connection: borrowing Connection) throws
        -> [AppointmentRecord]
    {
        try connection.all(
            "SELECT * FROM appointments WHERE deleted_at IS NULL AND starts_at > \(now) ORDER BY account_id, starts_at, id"
        )
    }

    package static func move(
        _ record: AppointmentRecord, from start: Instant, until end: Instant, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE appointments SET starts_at = \(start), ends_at = \(end), changed_at = \(now),
                sequence = sequence + 1
            WHERE account_id = \(record.accountID) AND id = \(record.id)
            """)
    }

    package static func save(
        _ draft: AppointmentDraft, _ id: ID<Appointment>, of account: ID<Account>, therapy: ID<Therapy>,
        _ key: PersonKey,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        let title = key.seal(draft.title, for: AppointmentPlace.title(account, id))
        let comment = draft.comment.map { key.seal($0, for: AppointmentPlace.comment(account, id)) }
        try connection.run(
            """
            INSERT INTO appointments (account_id, id, therapy_id, title, comment, starts_at, ends_at, changed_at)
            VALUES (\(account), \(id), \(therapy), \(title), \(comment), \(draft.startsAt), \(draft.endsAt), \(now))
            ON CONFLICT (account_id, id) DO UPDATE SET title = excluded.title, comment = excluded.comment,
                starts_at = excluded.starts_at, ends_at = excluded.ends_at, changed_at = excluded.changed_at,
                sequence = appointments.sequence + 1
            """)
    }

    package static func delete(
        _ id: ID<Appointment>, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    )
        throws
    {
        try connection.run(
            """
            UPDATE appointments SET title = NULL, comment = NULL, deleted_at = \(now), changed_at = \(now)
            WHERE account_id = \(account) AND id = \(id) AND deleted_at IS NULL
            """)
    }

    package static func erase(inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM appointments WHERE therapy_id = \(therapy)")
    }
}
