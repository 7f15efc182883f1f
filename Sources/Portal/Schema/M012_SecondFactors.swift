import Database

/// The second factor of staff, closed accounts, and sign-ins before their second factor.
let m012SecondFactors = Migration(
    "M012_SecondFactors", .contract,
    """
    ALTER TABLE accounts ADD COLUMN disabled_at INTEGER;

    -- The secret shared with an authenticator app, sealed; stored once a code of it was given.
    CREATE TABLE second_factors (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        secret BLOB NOT NULL,
        last_step INTEGER NOT NULL,
        failures INTEGER NOT NULL DEFAULT 0,
        made_at INTEGER NOT NULL
    ) STRICT;

    -- Codes for when the app is lost; keyed hashes, each good once.
    CREATE TABLE recovery_codes (
        lookup BLOB PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        spent_at INTEGER
    ) STRICT;
    CREATE INDEX recovery_codes_account ON recovery_codes (account_id);

    -- The table anew, for one more kind: the password was right, the second factor is still asked for.
    CREATE TABLE credentials_new (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('session', 'token', 'registration', 'halfway')),
        hash BLOB NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        last_used_at INTEGER NOT NULL,
        device_name BLOB,
        platform TEXT,
        os_version TEXT,
        app_version TEXT,
        CHECK (expires_at > created_at)
    ) STRICT;
    INSERT INTO credentials_new SELECT id, account_id, kind, hash, created_at, expires_at, last_used_at,
        device_name, platform, os_version, app_version FROM credentials;
    DROP TABLE credentials;
    ALTER TABLE credentials_new RENAME TO credentials;
    CREATE INDEX credentials_account ON credentials (account_id);
    """)
