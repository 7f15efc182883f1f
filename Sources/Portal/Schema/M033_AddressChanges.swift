import Database

/// Another address, until the link that was sent there is opened. It goes with its account.
let m033AddressChanges = Migration(
    "M033_AddressChanges",
    """
    CREATE TABLE address_changes (
        hash BLOB PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        email BLOB NOT NULL,
        email_lookup BLOB NOT NULL,
        asked_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        spent_at INTEGER
    ) STRICT;
    CREATE INDEX address_changes_account ON address_changes (account_id);
    """)
