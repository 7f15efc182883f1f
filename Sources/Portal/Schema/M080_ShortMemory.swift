import Database

/// What several portals on one database remember together for minutes: counts, codes shown once, interrupted forms.
let m080ShortMemory = Migration(
    "M080_ShortMemory", .expand,
    """
    -- name: a keyed hash, since names hold addresses of accounts and of the network. value: sealed under the installation's key.
    CREATE TABLE short_memory (
        name TEXT PRIMARY KEY,
        value BLOB NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX short_memory_expired ON short_memory (expires_at);
    """)
