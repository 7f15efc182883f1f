import Database

/// A study asks a questionnaire at any number of time points (ST-1); a sheet says which of them it answers.
let m127TimePoints = Migration(
    "M127_TimePoints", .expand,
    """
    ALTER TABLE studies ADD COLUMN time_points TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE contributions ADD COLUMN item_id TEXT;

    -- The same questionnaire once at each time point: '' for none. What refers to the table is made anew with it.
    CREATE TABLE study_questionnaires_new (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        questionnaire_key TEXT NOT NULL,
        time_point TEXT NOT NULL DEFAULT '',
        position INTEGER NOT NULL,
        is_onetime INTEGER NOT NULL CHECK (is_onetime IN (0, 1)),
        baseline TEXT CHECK (baseline IN ('required', 'recommended')),
        -- Sheets completed before that are still taken.
        deactivated_at INTEGER,
        is_schedule_changeable INTEGER NOT NULL CHECK (is_schedule_changeable IN (0, 1)),
        uses_gps INTEGER NOT NULL CHECK (uses_gps IN (0, 1)),
        uses_microphone INTEGER NOT NULL CHECK (uses_microphone IN (0, 1)),
        added_at INTEGER NOT NULL,
        revision INTEGER NOT NULL DEFAULT 1,
        allows_overnight INTEGER NOT NULL DEFAULT 0 CHECK (allows_overnight IN (0, 1)),
        UNIQUE (study_id, questionnaire_key, time_point)
    ) STRICT;
    INSERT INTO study_questionnaires_new (id, study_id, questionnaire_key, position, is_onetime, baseline, deactivated_at,
        is_schedule_changeable, uses_gps, uses_microphone, added_at, revision, allows_overnight)
    SELECT id, study_id, questionnaire_key, position, is_onetime, baseline, deactivated_at,
        is_schedule_changeable, uses_gps, uses_microphone, added_at, revision, allows_overnight FROM study_questionnaires;
    CREATE TABLE study_schedules_new (
        item_id TEXT NOT NULL REFERENCES study_questionnaires_new (id) ON DELETE CASCADE,
        since INTEGER NOT NULL,
        is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
        schedules TEXT NOT NULL,
        -- The window of the time point as it was then; NULL without one.
        time_window TEXT,
        PRIMARY KEY (item_id, since)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO study_schedules_new (item_id, since, is_active, schedules)
    SELECT item_id, since, is_active, schedules FROM study_schedules;
    CREATE TABLE notification_plans_new (
        enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
        item_id TEXT NOT NULL REFERENCES study_questionnaires_new (id) ON DELETE CASCADE,
        since INTEGER NOT NULL,
        plan TEXT,
        PRIMARY KEY (enrolment_id, item_id, since)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO notification_plans_new (enrolment_id, item_id, since, plan)
    SELECT enrolment_id, item_id, since, plan FROM notification_plans;
    DROP TABLE notification_plans;
    DROP TABLE study_schedules;
    DROP TABLE study_questionnaires;
    ALTER TABLE study_questionnaires_new RENAME TO study_questionnaires;
    ALTER TABLE study_schedules_new RENAME TO study_schedules;
    ALTER TABLE notification_plans_new RENAME TO notification_plans;

    -- The dates that leads enter for a participant, each from a moment on; NULL takes one back.
    CREATE TABLE study_anchors (
        enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
        time_point TEXT NOT NULL,
        since INTEGER NOT NULL,
        date TEXT,
        PRIMARY KEY (enrolment_id, time_point, since)
    ) STRICT, WITHOUT ROWID;
    """)
