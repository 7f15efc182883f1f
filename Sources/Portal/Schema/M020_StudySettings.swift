import Database

/// Studies edited by two leads at once, consent by the latest choice, limited requests, closing allocation as a step
/// of its own, and participants on paper alone.
let m020StudySettings = Migration(
    "M020_StudySettings", .contract,
    """
    -- Counts the changes, so that two people do not overwrite each other unseen.
    ALTER TABLE studies ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE study_questionnaires ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE study_designs ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE batteries ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE rules ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

    -- Archiving used to end allocation for good and to tell the seed: where it did, somebody may have read it.
    ALTER TABLE study_designs ADD COLUMN closed_by_archiving INTEGER NOT NULL DEFAULT 0
        CHECK (closed_by_archiving IN (0, 1));
    UPDATE study_designs SET closed_by_archiving = 1 WHERE closed_at IS NOT NULL;

    -- The last that somebody had said of research when they agreed, and when they left: order, not clocks, tells which
    -- word is the latest.
    ALTER TABLE enrolments ADD COLUMN agreed_after INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE enrolments ADD COLUMN left_after INTEGER;
    UPDATE enrolments SET
        agreed_after = coalesce((SELECT max(consent_choices.id) FROM consent_choices
            WHERE consent_choices.account_id = enrolments.account_id AND changed_at <= consented_at), 0),
        left_after = CASE WHEN left_at IS NOT NULL THEN
            coalesce((SELECT max(consent_choices.id) FROM consent_choices
                WHERE consent_choices.account_id = enrolments.account_id AND changed_at <= left_at), 0) END;

    -- When a request to take part was answered.
    ALTER TABLE enrolments ADD COLUMN decided_at INTEGER;
    -- Each request, kept when it is taken back too: nobody asks again and again.
    CREATE TABLE study_requests (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        asked_at INTEGER NOT NULL,
        PRIMARY KEY (study_id, account_id, asked_at)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_requests_account ON study_requests (account_id);
    INSERT OR IGNORE INTO study_requests (study_id, account_id, asked_at)
        SELECT study_id, account_id, asked_at FROM enrolments WHERE state IN ('pending', 'declined');

    -- Somebody who takes part on paper alone: the row holds the key of their enrolment and nothing to sign in with.
    ALTER TABLE accounts ADD COLUMN is_paper INTEGER NOT NULL DEFAULT 0 CHECK (is_paper IN (0, 1));
    -- The day on which they signed the consent.
    ALTER TABLE enrolments ADD COLUMN signed_on TEXT;
    """)
