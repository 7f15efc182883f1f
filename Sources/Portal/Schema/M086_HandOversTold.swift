import Database

/// Hand-overs that both therapists are told of, until each has read it (PR-31).
let m086HandOversTold = Migration(
    "M086_HandOversTold", .expand,
    """
    -- took: what the leaving therapist let go along and what stopped: ticks and a count, no words.
    CREATE TABLE hand_overs (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        from_account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        to_account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        handed_at INTEGER NOT NULL,
        took_alias INTEGER NOT NULL CHECK (took_alias IN (0, 1)),
        stopped_reactions INTEGER NOT NULL,
        read_by_from_at INTEGER,
        read_by_to_at INTEGER
    ) STRICT;
    CREATE INDEX hand_overs_therapy ON hand_overs (therapy_id);
    CREATE INDEX hand_overs_from ON hand_overs (from_account);
    CREATE INDEX hand_overs_to ON hand_overs (to_account);
    """)
