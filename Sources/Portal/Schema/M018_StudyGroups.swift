import Database

/// Additions to studies: own times of participants, groups, invitations, pictures, paper questionnaires.
let m018StudyGroups = Migration(
    "M018_StudyGroups", .contract,
    """
    -- When a participant wants to be asked, from a moment on; no plan: as the leads ask again.
    CREATE TABLE notification_plans (
        enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
        item_id TEXT NOT NULL REFERENCES study_questionnaires (id) ON DELETE CASCADE,
        since INTEGER NOT NULL,
        plan TEXT,
        PRIMARY KEY (enrolment_id, item_id, since)
    ) STRICT, WITHOUT ROWID;

    -- How participants come into groups (IO-21).
    CREATE TABLE study_designs (
        study_id TEXT PRIMARY KEY REFERENCES studies (id) ON DELETE CASCADE,
        allocation TEXT NOT NULL CHECK (allocation IN ('alternating', 'randomised')),
        -- Names of arms, in their order.
        arms TEXT NOT NULL,
        -- Of a cohort, or of a block.
        size INTEGER NOT NULL CHECK (size >= 1),
        sample_size INTEGER NOT NULL CHECK (sample_size >= 2),
        -- What random blocks are drawn from.
        seed INTEGER NOT NULL,
        -- When the study was archived with people in its groups: from then on the seed may be told, and nobody comes in.
        closed_at INTEGER,
        changed_at INTEGER NOT NULL
    ) STRICT;
    -- Which scale at which time, named before anybody is in.
    CREATE TABLE study_outcomes (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
        questionnaire_key TEXT NOT NULL,
        scale TEXT NOT NULL,
        -- Days after enrolment.
        day INTEGER NOT NULL CHECK (day >= 1),
        PRIMARY KEY (study_id, position)
    ) STRICT, WITHOUT ROWID;
    -- Where therapists work who bring their patients in.
    CREATE TABLE study_sites (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        PRIMARY KEY (study_id, account_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_sites_account ON study_sites (account_id);
    -- How many places of a site's sequence are taken; stays when an account is erased.
    CREATE TABLE study_sequences (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        site TEXT NOT NULL,
        taken INTEGER NOT NULL CHECK (taken >= 1),
        PRIMARY KEY (study_id, site)
    ) STRICT, WITHOUT ROWID;
    -- A study that a therapist offers a patient when they pair.
    CREATE TABLE study_offers (
        therapy_id TEXT PRIMARY KEY REFERENCES therapies (id) ON DELETE CASCADE,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        offered_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_offers_study ON study_offers (study_id);
    -- Codes that let one person in; known only as a keyed hash.
    CREATE TABLE study_invitations (
        lookup BLOB PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        made_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        used_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_invitations_study ON study_invitations (study_id, expires_at);
    CREATE TABLE study_pictures (
        study_id TEXT PRIMARY KEY REFERENCES studies (id) ON DELETE CASCADE,
        media_type TEXT NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/webp')),
        bytes BLOB NOT NULL,
        -- Part of the address, so that a new picture has a new one.
        version TEXT NOT NULL
    ) STRICT;

    ALTER TABLE enrolments ADD COLUMN arm TEXT CHECK (arm IN ('full', 'no_interventions', 'no_app'));
    ALTER TABLE enrolments ADD COLUMN site TEXT;
    -- Whose interventions the arm decides about.
    ALTER TABLE enrolments ADD COLUMN therapy_id TEXT REFERENCES therapies (id) ON DELETE SET NULL;
    CREATE INDEX enrolments_therapy ON enrolments (therapy_id) WHERE therapy_id IS NOT NULL;
    -- Filled in on paper and entered by staff.
    ALTER TABLE contributions ADD COLUMN entered_by TEXT REFERENCES accounts (id) ON DELETE SET NULL;
    ALTER TABLE contributions ADD COLUMN is_paper INTEGER NOT NULL DEFAULT 0 CHECK (is_paper IN (0, 1));
    -- The prompt of a study that a sheet named; each is answered once.
    ALTER TABLE contributions ADD COLUMN prompt_id TEXT;
    CREATE UNIQUE INDEX contributions_prompt ON contributions (account_id, prompt_id) WHERE prompt_id IS NOT NULL;
    CREATE INDEX contributions_entered ON contributions (entered_by) WHERE entered_by IS NOT NULL;
    """)
