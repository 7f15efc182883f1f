import Database

/// Links that open one assignment on any device, and a mark for the sheets that came in by one.
let m029AssignmentLinks = Migration(
    "M029_AssignmentLinks", .contract,
    """
    CREATE TABLE assignment_links (
        hash BLOB PRIMARY KEY,
        assignment_id TEXT NOT NULL REFERENCES assignments (id) ON DELETE CASCADE,
        made_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        ended_at INTEGER,
        CHECK (expires_at > made_at)
    ) STRICT;
    -- One that works an assignment.
    CREATE UNIQUE INDEX assignment_links_live ON assignment_links (assignment_id) WHERE ended_at IS NULL;

    ALTER TABLE contributions ADD COLUMN on_site INTEGER NOT NULL DEFAULT 0 CHECK (on_site IN (0, 1));
    """)
