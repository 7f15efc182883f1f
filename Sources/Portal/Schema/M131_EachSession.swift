import Database

/// Dates of each session of a therapy, and which consent texts say that leads learn them (ST-1). A program before it writes dates without
/// a session, which the new key refuses, and would lose a time point that comes with each session with the next change of the study.
let m131EachSession = Migration(
    "M131_EachSession", .contract,
    """
    ALTER TABLE study_consents ADD COLUMN every_session INTEGER NOT NULL DEFAULT 0 CHECK (every_session IN (0, 1));

    CREATE TABLE study_anchors_new (
        enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
        time_point TEXT NOT NULL,
        -- The session whose date it is: '' for a date of the participant. A session that is removed keeps its dates here.
        session_id TEXT NOT NULL DEFAULT '',
        since INTEGER NOT NULL,
        date TEXT,
        PRIMARY KEY (enrolment_id, time_point, session_id, since)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO study_anchors_new (enrolment_id, time_point, since, date)
    SELECT enrolment_id, time_point, since, date FROM study_anchors;
    DROP TABLE study_anchors;
    ALTER TABLE study_anchors_new RENAME TO study_anchors;
    """)
