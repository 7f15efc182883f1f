import Database

/// Questionnaires of single arms, and arms whose treatment changes on a day (ST-5). A program before it would ask all arms, and leave
/// waiting lists waiting.
let m147ItemsOfArms = Migration(
    "M147_ItemsOfArms", .contract,
    """
    -- The keys of the arms that are asked; empty for everybody.
    ALTER TABLE study_questionnaires ADD COLUMN arms TEXT NOT NULL DEFAULT '';
    -- When the treatment of a participant's arm changed.
    ALTER TABLE enrolments ADD COLUMN crossed_at INTEGER;
    """)
