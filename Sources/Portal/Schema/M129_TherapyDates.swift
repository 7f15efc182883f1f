import Database

/// Which consent texts say that leads learn dates of the participants' therapies (ST-1). A program before it knows no time point that
/// is counted from such a date, and would lose it with the next change of the study.
let m129TherapyDates = Migration(
    "M129_TherapyDates", .contract,
    """
    ALTER TABLE study_consents ADD COLUMN session_dates INTEGER NOT NULL DEFAULT 0 CHECK (session_dates IN (0, 1));
    """)
