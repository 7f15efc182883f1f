import Database

/// Appointments, which belong to the patient; each makes a session.
let m005Appointments = Migration(
    "M005_Appointments", .contract,
    """
    -- Ids come from clients, so they are unique per account only. Sealed: title, comment; both go when it is deleted,
    -- the rest stays so that a device that was away learns of it.
    CREATE TABLE appointments (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        title BLOB,
        comment BLOB,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        deleted_at INTEGER,
        PRIMARY KEY (account_id, id),
        CHECK (ends_at > starts_at),
        CHECK ((title IS NULL) = (deleted_at IS NOT NULL))
    ) STRICT;
    CREATE INDEX appointments_therapy ON appointments (therapy_id, starts_at);
    CREATE UNIQUE INDEX therapy_sessions_appointment ON therapy_sessions (therapy_id, appointment_id)
        WHERE appointment_id IS NOT NULL;
    """)
