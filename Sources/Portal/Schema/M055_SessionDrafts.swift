import Database

/// Unsaved input on sessions, and sessions entered by a slip.
let m055SessionDrafts = Migration(
    "M055_SessionDrafts", .contract,
    """
    -- A note that its author has typed and not saved (FD-7). Sealed under the therapy's key; goes with saving, and by itself
    -- after a month. The words are a JSON object of the form's fields with the revision they were typed over.
    CREATE TABLE session_note_drafts (
        session_id TEXT NOT NULL REFERENCES therapy_sessions (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        words BLOB NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (session_id, account_id)
    ) STRICT;
    CREATE INDEX session_note_drafts_account ON session_note_drafts (account_id);

    -- The first session of a series that was entered in one go; null for one alone.
    ALTER TABLE therapy_sessions ADD COLUMN series_id TEXT;

    -- A session that was entered by hand and deleted: kept for a day, so that deleting can be undone (FD-8). Nothing hung
    -- on it.
    CREATE TABLE removed_sessions (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        mark TEXT CHECK (mark IN ('planned', 'held', 'missed', 'cancelled')),
        noted_at INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        series_id TEXT,
        removed_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX removed_sessions_therapy ON removed_sessions (therapy_id);
    """)
