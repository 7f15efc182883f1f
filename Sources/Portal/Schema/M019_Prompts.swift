import Database

/// A sheet stores its prompt; prompts follow the participant's zone; refused sheets of studies are kept, too.
let m019Prompts = Migration(
    "M019_Prompts", .contract,
    """
    -- Since when an account has had which zone; the one it began with is not here.
    CREATE TABLE account_zones (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        changed_at INTEGER NOT NULL,
        timezone TEXT NOT NULL,
        PRIMARY KEY (account_id, changed_at)
    ) STRICT, WITHOUT ROWID;
    -- Prompts of those who moved before this was noted follow them from now on.
    INSERT INTO account_zones (account_id, changed_at, timezone)
    SELECT DISTINCT accounts.id, unixepoch() * 1000, accounts.timezone FROM accounts
    JOIN enrolments ON enrolments.account_id = accounts.id AND enrolments.timezone <> accounts.timezone;

    -- The moment of the prompt that a sheet answers, decided when it is taken in; none for one filled in at will.
    ALTER TABLE contributions ADD COLUMN prompted_at INTEGER;
    -- Sensors whose values were dropped because the person had switched them off, with commas between.
    ALTER TABLE contributions ADD COLUMN sensors_dropped TEXT;
    -- Whose sheets came in before that; each is decided about once, when the portal starts.
    CREATE TABLE undecided_enrolments (
        enrolment_id TEXT PRIMARY KEY REFERENCES enrolments (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    INSERT INTO undecided_enrolments (enrolment_id)
    SELECT DISTINCT enrolment_id FROM contributions WHERE enrolment_id IS NOT NULL;
    -- How many sheets came in lately is counted without looking at all of them.
    CREATE INDEX contributions_study_received ON contributions (enrolment_id, questionnaire_id, received_at)
        WHERE enrolment_id IS NOT NULL;

    -- Sums were means times their items: fifteen over eleven items was fifteen but for the last bit.
    UPDATE contribution_scores SET value = round(value)
    WHERE value <> round(value) AND abs(value - round(value)) < 1e-9;

    -- A refused sheet belongs to a therapy or to a study.
    CREATE TABLE refused_sheets (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        contribution_id TEXT NOT NULL,
        therapy_id TEXT REFERENCES therapies (id) ON DELETE CASCADE,
        enrolment_id TEXT REFERENCES enrolments (id) ON DELETE CASCADE,
        reason TEXT NOT NULL CHECK (reason IN ('unknown_version', 'contradiction', 'clock')),
        fingerprint BLOB NOT NULL,
        sheet BLOB NOT NULL,
        received_at INTEGER NOT NULL,
        decision TEXT CHECK (decision IN ('admitted', 'discarded')),
        decided_at INTEGER,
        decided_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
        UNIQUE (account_id, fingerprint),
        CHECK ((decision IS NULL) = (decided_at IS NULL)),
        CHECK ((therapy_id IS NULL) <> (enrolment_id IS NULL))
    ) STRICT;
    INSERT INTO refused_sheets (id, account_id, contribution_id, therapy_id, reason, fingerprint, sheet, received_at,
        decision, decided_at, decided_by)
    SELECT id, account_id, contribution_id, therapy_id, reason, fingerprint, sheet, received_at,
        decision, decided_at, decided_by FROM quarantined_sheets;
    DROP TABLE quarantined_sheets;
    ALTER TABLE refused_sheets RENAME TO quarantined_sheets;
    CREATE INDEX quarantined_sheets_therapy ON quarantined_sheets (therapy_id, received_at);
    CREATE INDEX quarantined_sheets_enrolment ON quarantined_sheets (enrolment_id, received_at)
        WHERE enrolment_id IS NOT NULL;
    """)
