import Database

/// Absences of therapists, covered or not, and the alias that a cover may see (PR-30).
let m085Absences = Migration(
    "M085_Absences", .expand,
    """
    -- Covers of before saw no alias; their therapist has not been asked.
    ALTER TABLE covers ADD COLUMN shares_alias INTEGER NOT NULL DEFAULT 0 CHECK (shares_alias IN (0, 1));

    CREATE TABLE absences (
        id TEXT PRIMARY KEY,
        therapist_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL,
        cover_id TEXT REFERENCES covers (id) ON DELETE SET NULL,
        without_cover INTEGER NOT NULL DEFAULT 0 CHECK (without_cover IN (0, 1)),
        made_at INTEGER NOT NULL,
        CHECK (starts_on <= ends_on),
        CHECK (cover_id IS NULL OR without_cover = 0)
    ) STRICT;
    CREATE INDEX absences_therapist ON absences (therapist_id, ends_on);
    CREATE INDEX absences_cover ON absences (cover_id);

    -- Sessions called off because of an absence in one step, for undoing the step.
    CREATE TABLE absence_sessions (
        absence_id TEXT NOT NULL REFERENCES absences (id) ON DELETE CASCADE,
        session_id TEXT NOT NULL REFERENCES therapy_sessions (id) ON DELETE CASCADE,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        notice_id TEXT REFERENCES notices (id) ON DELETE SET NULL,
        called_off_at INTEGER NOT NULL,
        PRIMARY KEY (absence_id, session_id)
    ) STRICT;
    CREATE INDEX absence_sessions_session ON absence_sessions (session_id);
    CREATE INDEX absence_sessions_therapy ON absence_sessions (therapy_id);
    CREATE INDEX absence_sessions_notice ON absence_sessions (notice_id);
    """)
