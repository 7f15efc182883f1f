import Database

/// What calendars are told of a session or an appointment never goes back (RP-31).
let m110CalendarRevisions = Migration(
    "M110_CalendarRevisions", .expand,
    """
    -- The number of changes of the patient's own appointment (RFC 5545, SEQUENCE). It was told as a sum over the sessions that were one
    -- with it, which is at most the sum over all near it.
    ALTER TABLE appointments ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
    UPDATE appointments SET sequence = (
        SELECT coalesce(sum(near.sequence + 1), 0) FROM therapy_sessions AS near
        WHERE near.therapy_id = appointments.therapy_id AND near.starts_at < appointments.ends_at + 86400000
        AND near.ends_at > appointments.starts_at - 86400000);

    -- A session's is that of the record with its id, no longer a sum over several; and when it was told, for LAST-MODIFIED. Null: as
    -- of changed_at, the last change of the record itself.
    ALTER TABLE therapy_sessions ADD COLUMN revised_at INTEGER;
    UPDATE therapy_sessions SET sequence = told.sequence, revised_at = told.revised_at FROM (
        SELECT one.id, sum(near.sequence + 1) AS sequence,
            max(coalesce(near.changed_at, near.noted_at)) AS revised_at
        FROM therapy_sessions AS one JOIN therapy_sessions AS near ON near.therapy_id = one.therapy_id
            AND near.starts_at < one.ends_at + 86400000 AND near.ends_at > one.starts_at - 86400000
        GROUP BY one.id HAVING count(*) > 1) AS told
    WHERE told.id = therapy_sessions.id;
    """)
