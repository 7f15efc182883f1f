import Database

/// The measurements studies ask for, and those each participant gives (FB-2). None by default.
let m050StudyMeasurements = Migration(
    "M050_StudyMeasurements", .contract,
    """
    -- Kinds of measurements with blanks between them: those asked for, and those of them that somebody allowed.
    ALTER TABLE studies ADD COLUMN measurements TEXT NOT NULL DEFAULT '';
    ALTER TABLE enrolments ADD COLUMN measurements TEXT NOT NULL DEFAULT '';
    """)
