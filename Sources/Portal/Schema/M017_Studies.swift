import Database

/// Studies, their questionnaires, and participants: by a codename of the study alone.
let m017Studies = Migration(
    "M017_Studies", .contract,
    """
    CREATE TABLE studies (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        title_de TEXT, title_en TEXT,
        description_de TEXT, description_en TEXT,
        text_de TEXT, text_en TEXT,
        access TEXT NOT NULL CHECK (access IN ('open', 'password', 'request')),
        password_hash TEXT,
        is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
        is_hidden INTEGER NOT NULL CHECK (is_hidden IN (0, 1)),
        -- Finds a study that is in no list.
        code TEXT NOT NULL UNIQUE,
        is_running INTEGER NOT NULL DEFAULT 0 CHECK (is_running IN (0, 1)),
        starts_at INTEGER,
        ends_at INTEGER,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        archived_at INTEGER,
        CHECK (title_de IS NOT NULL OR title_en IS NOT NULL),
        CHECK (ends_at > starts_at OR ends_at IS NULL OR starts_at IS NULL),
        CHECK ((access = 'password') = (password_hash IS NOT NULL)),
        CHECK (archived_at IS NULL OR is_running = 0)
    ) STRICT;

    -- When a study was switched on and off: prompts are made, and sheets taken, only in between.
    CREATE TABLE study_runs (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        since INTEGER NOT NULL,
        until INTEGER,
        PRIMARY KEY (study_id, since),
        CHECK (until >= since)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE study_leads (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        PRIMARY KEY (study_id, account_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_leads_account ON study_leads (account_id);

    -- What people agree to. A version is never changed, because people have agreed to it.
    CREATE TABLE study_consents (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        version INTEGER NOT NULL CHECK (version >= 1),
        text_de TEXT, text_en TEXT,
        written_at INTEGER NOT NULL,
        PRIMARY KEY (study_id, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER study_consents_no_edit BEFORE UPDATE ON study_consents
    BEGIN SELECT RAISE(ABORT, 'a consent text never changes'); END;

    CREATE TABLE study_questionnaires (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        questionnaire_key TEXT NOT NULL,
        position INTEGER NOT NULL,
        is_onetime INTEGER NOT NULL CHECK (is_onetime IN (0, 1)),
        baseline TEXT CHECK (baseline IN ('required', 'recommended')),
        -- Sheets completed before that are still taken.
        deactivated_at INTEGER,
        is_schedule_changeable INTEGER NOT NULL CHECK (is_schedule_changeable IN (0, 1)),
        uses_gps INTEGER NOT NULL CHECK (uses_gps IN (0, 1)),
        uses_microphone INTEGER NOT NULL CHECK (uses_microphone IN (0, 1)),
        added_at INTEGER NOT NULL,
        UNIQUE (study_id, questionnaire_key)
    ) STRICT;
    -- A schedule counts from its day on; what was asked before stays as it was planned.
    CREATE TABLE study_schedules (
        item_id TEXT NOT NULL REFERENCES study_questionnaires (id) ON DELETE CASCADE,
        since INTEGER NOT NULL,
        is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
        schedules TEXT NOT NULL,
        PRIMARY KEY (item_id, since)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE enrolments (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id),
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        codename TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'enrolled', 'declined', 'left')),
        asked_at INTEGER NOT NULL,
        enrolled_at INTEGER,
        left_at INTEGER,
        consent_version INTEGER NOT NULL,
        consented_at INTEGER NOT NULL,
        timezone TEXT NOT NULL,
        last_activity_at INTEGER,
        -- Asked for what they had answered to be removed.
        erased_at INTEGER,
        UNIQUE (study_id, codename),
        CHECK ((state IN ('enrolled', 'left')) = (enrolled_at IS NOT NULL)),
        CHECK ((state = 'left') = (left_at IS NOT NULL)),
        CHECK (erased_at IS NULL OR state = 'left'),
        FOREIGN KEY (study_id, consent_version) REFERENCES study_consents (study_id, version)
    ) STRICT;
    -- Who comes back does so as somebody new.
    CREATE UNIQUE INDEX enrolments_once ON enrolments (study_id, account_id) WHERE state IN ('pending', 'enrolled');
    CREATE INDEX enrolments_account ON enrolments (account_id, study_id);

    ALTER TABLE contributions ADD COLUMN study_id TEXT REFERENCES studies (id);
    ALTER TABLE contributions ADD COLUMN enrolment_id TEXT REFERENCES enrolments (id) ON DELETE CASCADE;
    CREATE INDEX contributions_study ON contributions (study_id, enrolment_id, questionnaire_id, completed_at)
        WHERE study_id IS NOT NULL;
    CREATE INDEX contributions_enrolment ON contributions (enrolment_id, completed_at) WHERE enrolment_id IS NOT NULL;
    """)
