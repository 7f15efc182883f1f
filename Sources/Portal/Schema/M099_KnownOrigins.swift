import Database

/// Browsers and addresses from which an account signed in: their tries of a password are counted by themselves (RP-205).
let m099KnownOrigins = Migration(
    "M099_KnownOrigins", .expand,
    """
    -- By the hash of the account with a random id that only the browser's cookie has: on a shared browser no two
    -- accounts have the same.
    CREATE TABLE known_browsers (
        hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        -- The session it was signed in with last. That may have ended since.
        credential_id TEXT NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX known_browsers_account ON known_browsers (account_id);

    -- By keyed hashes, which differ from account to account.
    CREATE TABLE known_addresses (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        hash BLOB NOT NULL CHECK (length(hash) = 32),
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, hash)
    ) STRICT;
    """)
