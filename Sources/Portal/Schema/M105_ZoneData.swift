import Database

/// What was drawn by zone data stays drawn when newer ones come (RP-19).
let m105ZoneData = Migration(
    "M105_ZoneData", .expand,
    """
    -- data: every zone with its clocks since 2000, and every link, as they were first read. is_first: nothing had been planned
    -- by others before. settled_at: since when appointments have their local times by these; null until then. moved: so many.
    CREATE TABLE zone_data (
        number INTEGER PRIMARY KEY,
        version TEXT NOT NULL,
        data TEXT NOT NULL,
        read_at INTEGER NOT NULL,
        is_first INTEGER NOT NULL CHECK (is_first IN (0, 1)),
        settled_at INTEGER,
        moved INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    """)
