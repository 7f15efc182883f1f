import Database

/// Drafts and cards of questionnaires, delivery by rules, the daily plan, half-filled answers, quarantine.
let m004Delivery = Migration(
    "M004_Delivery", .contract,
    """
    -- A version that is not to be assigned any more; what was assigned stays.
    ALTER TABLE questionnaires ADD COLUMN retired_at INTEGER;
    CREATE TRIGGER questionnaires_no_edit
    BEFORE UPDATE OF id, key, version, definition, published_at ON questionnaires
    BEGIN SELECT RAISE(ABORT, 'a published questionnaire never changes'); END;

    -- What is being written; document is the file, with whatever is still wrong in it, previous the one before the last
    -- press of a button. based_on: the version that is
    -- being changed; nil for a new questionnaire.
    CREATE TABLE questionnaire_drafts (
        id TEXT PRIMARY KEY,
        based_on TEXT REFERENCES questionnaires (id),
        document TEXT NOT NULL,
        previous TEXT,
        revision INTEGER NOT NULL,
        changed_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL
    ) STRICT;

    -- What the file of an instrument does not tell: whose it is, what may be done with it. By key, for all versions.
    CREATE TABLE instruments (
        key TEXT PRIMARY KEY,
        licence TEXT NOT NULL CHECK (licence IN ('unstated', 'own', 'free', 'permission')),
        source TEXT,
        permitted_use TEXT,
        cutoff_source TEXT,
        asks_gps INTEGER NOT NULL DEFAULT 0 CHECK (asks_gps IN (0, 1)),
        asks_microphone INTEGER NOT NULL DEFAULT 0 CHECK (asks_microphone IN (0, 1)),
        confirmed_at INTEGER,
        confirmed_by TEXT REFERENCES accounts (id) ON DELETE SET NULL
    ) STRICT;

    -- A named, ordered set of questionnaires that is assigned as one.
    CREATE TABLE batteries (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE battery_items (
        battery_id TEXT NOT NULL REFERENCES batteries (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        questionnaire_key TEXT NOT NULL,
        PRIMARY KEY (battery_id, position),
        UNIQUE (battery_id, questionnaire_key)
    ) STRICT, WITHOUT ROWID;

    -- What a patient gets by itself, and when. open_minutes: how long before a session it opens, else how long it
    -- stays open.
    CREATE TABLE delivery_rules (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        occasion TEXT NOT NULL CHECK (occasion IN
            ('before_session', 'therapy_begin', 'therapy_end', 'repeated', 'result')),
        questionnaire_key TEXT,
        battery_id TEXT REFERENCES batteries (id),
        open_minutes INTEGER NOT NULL CHECK (open_minutes BETWEEN 15 AND 129600),
        every INTEGER CHECK (every BETWEEN 1 AND 365),
        unit TEXT CHECK (unit IN ('day', 'week', 'month')),
        starts_on TEXT,
        at_minute INTEGER CHECK (at_minute BETWEEN 0 AND 1439),
        ends_on TEXT,
        watched_key TEXT,
        watched_scale TEXT,
        comparison TEXT CHECK (comparison IN ('at_least', 'at_most')),
        threshold REAL,
        rest_days INTEGER CHECK (rest_days BETWEEN 1 AND 365),
        created_at INTEGER NOT NULL,
        stopped_at INTEGER,
        CHECK ((questionnaire_key IS NULL) <> (battery_id IS NULL)),
        CHECK ((occasion = 'repeated') = (every IS NOT NULL)),
        CHECK ((occasion = 'result') = (watched_key IS NOT NULL))
    ) STRICT;
    CREATE INDEX delivery_rules_therapy ON delivery_rules (therapy_id);

    -- rule_id and occasion name what an assignment was made for, session/…, begin, a day. The ledger of a delivery:
    -- fetched, notified, opened; planned is assigned_at, answered the sheet, expired the deadline.
    ALTER TABLE assignments ADD COLUMN rule_id TEXT REFERENCES delivery_rules (id) ON DELETE SET NULL;
    ALTER TABLE assignments ADD COLUMN battery_id TEXT REFERENCES batteries (id);
    ALTER TABLE assignments ADD COLUMN occasion TEXT;
    ALTER TABLE assignments ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE assignments ADD COLUMN withdrawn_by_plan INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn_by_plan IN (0, 1));
    ALTER TABLE assignments ADD COLUMN fetched_at INTEGER;
    ALTER TABLE assignments ADD COLUMN notified_at INTEGER;
    ALTER TABLE assignments ADD COLUMN opened_at INTEGER;
    -- Of a daily: the local day, the period of it, and the zone it was planned in.
    ALTER TABLE assignments ADD COLUMN planned_on TEXT;
    ALTER TABLE assignments ADD COLUMN period INTEGER CHECK (period BETWEEN 0 AND 2);
    ALTER TABLE assignments ADD COLUMN timezone TEXT;
    CREATE UNIQUE INDEX assignments_one_daily_per_period ON assignments (therapy_id, planned_on, period)
        WHERE planned_on IS NOT NULL AND withdrawn_at IS NULL;
    CREATE INDEX assignments_rule ON assignments (rule_id, occasion) WHERE rule_id IS NOT NULL;

    ALTER TABLE therapies ADD COLUMN dailies_off_at INTEGER;
    -- The last day that has its dailies, and the zone they were planned in.
    ALTER TABLE therapies ADD COLUMN dailies_until TEXT;
    ALTER TABLE therapies ADD COLUMN dailies_zone TEXT;

    -- daily_from, daily_due: the window of a daily that the device planned itself. extra: another sheet counts for
    -- this period of the day.
    ALTER TABLE contributions ADD COLUMN device_id TEXT;
    ALTER TABLE contributions ADD COLUMN daily_from INTEGER;
    ALTER TABLE contributions ADD COLUMN daily_due INTEGER;
    ALTER TABLE contributions ADD COLUMN planned_on TEXT;
    ALTER TABLE contributions ADD COLUMN period INTEGER CHECK (period BETWEEN 0 AND 2);
    ALTER TABLE contributions ADD COLUMN extra INTEGER NOT NULL DEFAULT 0 CHECK (extra IN (0, 1));
    ALTER TABLE contributions ADD COLUMN admitted_at INTEGER;
    ALTER TABLE contributions ADD COLUMN admitted_by TEXT REFERENCES accounts (id) ON DELETE SET NULL;
    CREATE INDEX contributions_period ON contributions (therapy_id, planned_on, period) WHERE planned_on IS NOT NULL;

    -- Half-filled answers, for the patient's devices only. subject_id: an assignment or a questionnaire. Sealed: answers.
    CREATE TABLE answer_drafts (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        subject_id TEXT NOT NULL,
        answers BLOB NOT NULL,
        answered INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, subject_id)
    ) STRICT, WITHOUT ROWID;

    -- Sheets that were refused and may still be of worth, until somebody decides. Sealed: sheet.
    CREATE TABLE quarantined_sheets (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        contribution_id TEXT NOT NULL,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        reason TEXT NOT NULL CHECK (reason IN ('unknown_version', 'contradiction', 'clock')),
        fingerprint BLOB NOT NULL,
        sheet BLOB NOT NULL,
        received_at INTEGER NOT NULL,
        decision TEXT CHECK (decision IN ('admitted', 'discarded')),
        decided_at INTEGER,
        decided_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
        UNIQUE (account_id, fingerprint),
        CHECK ((decision IS NULL) = (decided_at IS NULL))
    ) STRICT;
    CREATE INDEX quarantined_sheets_therapy ON quarantined_sheets (therapy_id, received_at);

    ALTER TABLE accounts ADD COLUMN gps_on INTEGER NOT NULL DEFAULT 0 CHECK (gps_on IN (0, 1));
    ALTER TABLE accounts ADD COLUMN microphone_on INTEGER NOT NULL DEFAULT 0 CHECK (microphone_on IN (0, 1));
    """)
