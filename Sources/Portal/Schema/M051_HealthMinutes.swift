import Database

/// The minutes from which a year of nights is drawn (W4).
let m051HealthMinutes = Migration(
    "M051_HealthMinutes", .contract,
    """
    -- minutes: slept, or moved; beside the sealed body, so that a year is drawn without opening any. Both are null for what was
    -- deleted, and for what came before this: that is in the lists, and drawn once a device sends it again.
    -- Made anew and not altered: a table may come from either text of M048.
    CREATE TABLE health_records_new (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('sleep', 'activity')),
        id TEXT NOT NULL,
        starts_at INTEGER,
        ends_at INTEGER,
        minutes REAL,
        body BLOB,
        received_at INTEGER NOT NULL,
        deleted_at INTEGER,
        PRIMARY KEY (account_id, kind, id),
        CHECK ((body IS NULL) = (deleted_at IS NOT NULL) AND (starts_at IS NULL) = (body IS NULL)
            AND (ends_at IS NULL) = (minutes IS NULL) AND (ends_at IS NULL OR body IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO health_records_new (account_id, kind, id, starts_at, body, received_at, deleted_at)
        SELECT account_id, kind, id, starts_at, body, received_at, deleted_at FROM health_records;
    DROP TABLE health_records;
    ALTER TABLE health_records_new RENAME TO health_records;
    CREATE INDEX health_records_starts ON health_records (account_id, kind, starts_at);
    """)
