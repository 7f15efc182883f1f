import Database

/// Sessions noted by a therapist are visible to the patient (FD-29).
let m076NotedSessions = Migration(
    "M076_NotedSessions", .contract,
    """
    -- Those of before were noted as the therapist's own record: they are shown once the therapist says so.
    ALTER TABLE therapy_sessions ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 0 CHECK (is_shown IN (0, 1));
    ALTER TABLE removed_sessions ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 0 CHECK (is_shown IN (0, 1));
    """)
