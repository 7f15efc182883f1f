import Database

/// Letters of therapists about a patient (PR-38).
let m091Letters = Migration(
    "M091_Letters", .expand,
    """
    -- As a note on a session, a letter belongs to its author: other accounts read it only once it was handed over with the
    -- therapy. letter is sealed under the therapy's key: kind, title and text as JSON.
    CREATE TABLE letters (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        letter BLOB NOT NULL,
        made_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX letters_therapy ON letters (therapy_id, account_id);
    CREATE INDEX letters_account ON letters (account_id);
    """)
