import Database

/// A link says why it opens nothing: the device was handed back, or the practice ended it (LF-10).
let m102LinksHandedBack = Migration(
    "M102_LinksHandedBack", .expand,
    """
    -- Null: not handed back, or before this was kept.
    ALTER TABLE assignment_links ADD COLUMN handed_back_at INTEGER;
    """)
