import Database

/// Sheets that were completed after what asked for them had ended lie with those who decide (RP-103).
let m123SheetsAfterTheEnd = Migration(
    "M123_SheetsAfterTheEnd", .expand,
    """
    -- A reason of its own. Programs before know it as a clock that was wrong: the check on reason stays.
    ALTER TABLE quarantined_sheets ADD COLUMN after_end INTEGER NOT NULL DEFAULT 0 CHECK (after_end IN (0, 1));
    """)
