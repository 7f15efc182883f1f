import Database

/// Therapists' agenda for the next session.
let m014Briefing = Migration(
    "M014_Briefing", .contract,
    """
    -- A therapist's own words, sealed under the therapy's key; kept until they are changed.
    CREATE TABLE briefing_questions (
        therapy_id TEXT PRIMARY KEY REFERENCES therapies (id) ON DELETE CASCADE,
        words BLOB NOT NULL,
        changed_at INTEGER NOT NULL
    ) STRICT;
    """)
