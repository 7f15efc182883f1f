import Database

/// What studies ask of people's own measurements, and what each person gives (FB-2). By themselves nothing.
let m050StudyMeasurements = Migration(
    "M050_StudyMeasurements",
    """
    -- Kinds of measurements with blanks between them: those asked for, and those of them that somebody allowed.
    ALTER TABLE studies ADD COLUMN measurements TEXT NOT NULL DEFAULT '';
    ALTER TABLE enrolments ADD COLUMN measurements TEXT NOT NULL DEFAULT '';
    """)
