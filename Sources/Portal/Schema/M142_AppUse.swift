import Database

/// On which days people use the app, and on what (ST-11): a local day and a kind of device, nothing finer.
let m142AppUse = Migration(
    "M142_AppUse", .expand,
    """
    CREATE TABLE app_use (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        day TEXT NOT NULL,
        platform TEXT NOT NULL,
        PRIMARY KEY (account_id, day, platform)
    ) STRICT, WITHOUT ROWID;

    -- Days run out.
    CREATE INDEX app_use_day ON app_use (day);

    -- The last local day that was noted for it: each is noted once.
    ALTER TABLE credentials ADD COLUMN used_on TEXT;
    """)
