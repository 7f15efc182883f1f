import Database

/// Measurements of phones and watches: days, sleeps, activities, goals (FB-2, FB-4).
let m048Wearables = Migration(
    "M048_Wearables", .contract,
    """
    -- A type on a local day from one source, whole. n to high stand beside the sealed series, so that a year is drawn without
    -- opening any. complete_until: until when the source knew the day; last_at: the end of its last sample. filed: where
    -- values came singly, these values with their ids; null for a day that was sent whole. Sealed: series, filed, device.
    -- zones: minutes in each zone of the heart rate, as JSON; null where the age is not known.
    CREATE TABLE measurement_days (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        type TEXT NOT NULL,
        date TEXT NOT NULL,
        source TEXT NOT NULL,
        zone TEXT NOT NULL,
        n INTEGER NOT NULL,
        sum REAL NOT NULL,
        low REAL,
        high REAL,
        total REAL,
        zones TEXT,
        complete_until INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        received_at INTEGER NOT NULL,
        version INTEGER NOT NULL CHECK (version >= 1),
        series BLOB NOT NULL,
        filed BLOB,
        device BLOB,
        PRIMARY KEY (account_id, type, date, source)
    ) STRICT, WITHOUT ROWID;

    -- Sleeps and activities. Sealed: body. A deleted one keeps its id alone, so that no later import brings it back.
    CREATE TABLE health_records (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('sleep', 'activity')),
        id TEXT NOT NULL,
        starts_at INTEGER,
        body BLOB,
        received_at INTEGER NOT NULL,
        deleted_at INTEGER,
        PRIMARY KEY (account_id, kind, id),
        CHECK ((body IS NULL) = (deleted_at IS NOT NULL) AND (starts_at IS NULL) = (body IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX health_records_starts ON health_records (account_id, kind, starts_at);

    -- What somebody aims at, and which source counts first where several tell of a day.
    CREATE TABLE health_goals (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        steps_per_day INTEGER CHECK (steps_per_day BETWEEN 1 AND 120000),
        sleep_minutes INTEGER CHECK (sleep_minutes BETWEEN 1 AND 1440),
        sources TEXT NOT NULL DEFAULT ''
    ) STRICT;
    """,
    // For an afternoon it had the columns of M051, which brings both texts to the same schema.
    formerly: ["a4386b1f558ba432"])
