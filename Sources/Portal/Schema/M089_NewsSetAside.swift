import Database

/// Unremarkable news that was set aside in one step, for as long as that can be undone (PR-35).
let m089NewsSetAside = Migration(
    "M089_NewsSetAside", .expand,
    """
    -- looked_before: of the file's look before the step; NULL for a file that was never looked at.
    CREATE TABLE news_set_aside (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        looked_before INTEGER,
        looked_then INTEGER NOT NULL,
        set_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, therapy_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX news_set_aside_therapy ON news_set_aside (therapy_id);
    CREATE INDEX news_set_aside_set ON news_set_aside (set_at);
    """)
