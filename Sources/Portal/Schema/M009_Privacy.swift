import Database

/// Links for forgotten passwords, and patients' choices on research.
let m009Privacy = Migration(
    "M009_Privacy", .contract,
    """
    -- Links that set a new password; only hashes.
    CREATE TABLE password_resets (
        hash BLOB PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        spent_at INTEGER,
        CHECK (expires_at > created_at)
    ) STRICT;
    CREATE INDEX password_resets_account ON password_resets (account_id);

    -- Each time somebody gave or took back their consent to research; the newest is in force.
    CREATE TABLE consent_choices (
        id INTEGER PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        changed_at INTEGER NOT NULL,
        research_consent INTEGER NOT NULL CHECK (research_consent IN (0, 1))
    ) STRICT;
    CREATE INDEX consent_choices_account ON consent_choices (account_id);
    INSERT INTO consent_choices (account_id, changed_at, research_consent)
        SELECT id, created_at, research_consent FROM accounts WHERE kind = 'patient';
    """)
