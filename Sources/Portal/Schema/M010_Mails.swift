import Database

/// Mails that wait to be sent.
let m010Mails = Migration(
    "M010_Mails", .contract,
    """
    -- The message is sealed under the key of whom it is for, and empty once it was given up.
    CREATE TABLE mails (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        message BLOB,
        made_at INTEGER NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER NOT NULL,
        given_up_at INTEGER,
        failure TEXT,
        CHECK ((message IS NULL) = (given_up_at IS NOT NULL))
    ) STRICT;
    CREATE INDEX mails_account ON mails (account_id);
    CREATE INDEX mails_due ON mails (next_try_at) WHERE message IS NOT NULL;
    """)
