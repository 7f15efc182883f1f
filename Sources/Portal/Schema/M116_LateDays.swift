import Database

/// Wearables hand over days late (RP-101): how far the data of each kind reach, and what the person has deleted.
let m116LateDays = Migration(
    "M116_LateDays", .expand,
    """
    -- last_day: the last local day that had anything. swept_on: the local day on which the last four weeks were fetched again.
    ALTER TABLE wearable_cursors ADD COLUMN last_day TEXT;
    ALTER TABLE wearable_cursors ADD COLUMN swept_on TEXT;

    -- Days that their person has deleted: no provider brings them back.
    CREATE TABLE deleted_days (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        type TEXT NOT NULL,
        date TEXT NOT NULL,
        source TEXT NOT NULL,
        PRIMARY KEY (account_id, type, date, source)
    ) STRICT, WITHOUT ROWID;
    """)
