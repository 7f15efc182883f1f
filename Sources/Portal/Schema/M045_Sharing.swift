import Database

/// Shared files (PR-20, PR-21), and the right to see figures of the whole clinic (PR-22).
let m045Sharing = Migration(
    "M045_Sharing", .contract,
    """
    -- A colleague stands in from one moment to another, for named patients or all running therapies.
    CREATE TABLE covers (
        id TEXT PRIMARY KEY,
        therapist_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        colleague_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        access TEXT NOT NULL CHECK (access IN ('read', 'act')),
        for_all INTEGER NOT NULL CHECK (for_all IN (0, 1)),
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        ended_at INTEGER,
        made_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX covers_therapist ON covers (therapist_id);
    CREATE INDEX covers_colleague ON covers (colleague_id);
    CREATE TABLE cover_patients (
        cover_id TEXT NOT NULL REFERENCES covers (id) ON DELETE CASCADE,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        PRIMARY KEY (cover_id, therapy_id)
    ) STRICT;
    CREATE INDEX cover_patients_therapy ON cover_patients (therapy_id);

    -- A second therapist acts, a supervisor reads. Words for the first one's own eyes are theirs only where shared.
    CREATE TABLE therapy_members (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('therapist', 'supervisor')),
        shares_words INTEGER NOT NULL DEFAULT 0 CHECK (shares_words IN (0, 1)),
        added_at INTEGER NOT NULL,
        UNIQUE (therapy_id, account_id)
    ) STRICT;
    CREATE INDEX therapy_members_account ON therapy_members (account_id);

    -- The table anew, for two more roles.
    ALTER TABLE account_roles RENAME TO account_roles_old;
    CREATE TABLE account_roles (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('therapist', 'lead', 'admin', 'clinic_lead', 'researcher')),
        PRIMARY KEY (account_id, role)
    ) STRICT;
    INSERT INTO account_roles (account_id, role) SELECT account_id, role FROM account_roles_old;
    DROP TABLE account_roles_old;
    """)
