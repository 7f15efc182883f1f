import Database

/// An outcome is measured on a day or at a time point (ST-4).
let m128OutcomesByTimePoint = Migration(
    "M128_OutcomesByTimePoint", .expand,
    """
    CREATE TABLE study_outcomes_new (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
        questionnaire_key TEXT NOT NULL,
        scale TEXT NOT NULL,
        -- Days after enrolment; NULL for one at a time point.
        day INTEGER CHECK (day >= 1),
        time_point TEXT,
        -- What several values at the time point become; NULL for what follows from the questionnaire.
        value TEXT CHECK (value IN ('first', 'last', 'mean')),
        PRIMARY KEY (study_id, position),
        CHECK ((day IS NULL) <> (time_point IS NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO study_outcomes_new (study_id, position, is_primary, questionnaire_key, scale, day)
    SELECT study_id, position, is_primary, questionnaire_key, scale, day FROM study_outcomes;
    DROP TABLE study_outcomes;
    ALTER TABLE study_outcomes_new RENAME TO study_outcomes;
    """)
