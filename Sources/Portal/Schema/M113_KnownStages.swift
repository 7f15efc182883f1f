import Database

/// Whether the stages of a night are known (RP-106). Null: taken in before this, and told by its minutes.
let m113KnownStages = Migration(
    "M113_KnownStages", .expand,
    """
    ALTER TABLE health_records ADD COLUMN knows_stages INTEGER;
    """)
