import Database

/// The log of emergency unmaskings (ST-10).
let m152Unmaskings = Migration(
    "M152_Unmaskings", .expand,
    """
    CREATE TABLE study_unmaskings (
        id TEXT PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        -- NULL once the participant is erased.
        enrolment_id TEXT REFERENCES enrolments (id) ON DELETE SET NULL,
        -- The lead; NULL once their account is gone.
        account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
        -- Sealed for the participant; NULL once they are erased.
        reason BLOB,
        unmasked_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_unmaskings_study ON study_unmaskings (study_id, unmasked_at);
    CREATE INDEX study_unmaskings_enrolment ON study_unmaskings (enrolment_id);
    CREATE INDEX study_unmaskings_account ON study_unmaskings (account_id);
    """)
