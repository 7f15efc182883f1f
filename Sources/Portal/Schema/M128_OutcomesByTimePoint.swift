import Database

/// An outcome is measured on a day or at a time point (ST-4). Programs before it read the day alone, which therefore stays.
let m128OutcomesByTimePoint = Migration(
    "M128_OutcomesByTimePoint", .expand,
    """
    ALTER TABLE study_outcomes ADD COLUMN time_point TEXT;
    ALTER TABLE study_outcomes ADD COLUMN value TEXT CHECK (value IN ('first', 'last', 'mean'));
    """)
