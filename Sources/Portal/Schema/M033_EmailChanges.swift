import Database

/// Another address for a confirmed account (PW-5, IO-2), until the link sent to it is confirmed.
let m033EmailChanges = Migration(
    "M033_EmailChanges", .contract,
    """
    -- The address is sealed under the key of whose account it is, and empty once it is of no use any more.
    CREATE TABLE email_changes (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        hash BLOB NOT NULL UNIQUE,
        email BLOB,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        spent_at INTEGER,
        CHECK (email IS NOT NULL OR spent_at IS NOT NULL)
    ) STRICT;
    CREATE INDEX email_changes_account ON email_changes (account_id);
    """)
