import Database

/// Own windows over midnight, where a study's questionnaire allows them (TYS-6, reports-3).
let m125OvernightWindows = Migration(
    "M125_OvernightWindows", .expand,
    """
    ALTER TABLE study_questionnaires ADD COLUMN allows_overnight INTEGER NOT NULL DEFAULT 0
        CHECK (allows_overnight IN (0, 1));
    """)
