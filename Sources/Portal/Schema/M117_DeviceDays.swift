import Database

/// Several devices of one source tell of one day (RP-105).
let m117DeviceDays = Migration(
    "M117_DeviceDays", .expand,
    """
    -- A keyed hash of the device's name, empty where it has none; null for days from before this, told by the sealed name.
    ALTER TABLE measurement_days ADD COLUMN device_mark TEXT;

    -- What devices told of a day for which another one counts. Sealed: body, the day as it was told.
    CREATE TABLE other_device_days (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        type TEXT NOT NULL,
        date TEXT NOT NULL,
        source TEXT NOT NULL,
        device_mark TEXT NOT NULL,
        received_at INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (account_id, type, date, source, device_mark)
    ) STRICT, WITHOUT ROWID;
    """)
