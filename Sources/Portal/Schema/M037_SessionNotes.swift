import Database

/// Therapists' notes on sessions (PR-12).
let m037SessionNotes = Migration(
    "M037_SessionNotes", .contract,
    """
    -- One row a record of a session and author: whoever takes a therapy over sees only their own, unless the words were
    -- handed over with it. Note and agenda are sealed under the therapy's key; the agenda is a JSON list of what was
    -- ticked off in the session. What is still open stays with the therapy, in briefing_questions.
    CREATE TABLE session_notes (
        session_id TEXT NOT NULL REFERENCES therapy_sessions (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        note BLOB,
        agenda BLOB,
        changed_at INTEGER NOT NULL,
        PRIMARY KEY (session_id, account_id)
    ) STRICT;
    CREATE INDEX session_notes_account ON session_notes (account_id);

    ALTER TABLE hand_over_wishes ADD COLUMN session_notes INTEGER NOT NULL DEFAULT 0 CHECK (session_notes IN (0, 1));
    """)
