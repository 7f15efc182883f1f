import Database

/// Questionnaires, their assignments, and answers.
let m003Questionnaires = Migration(
    "M003_Questionnaires", .contract,
    """
    -- An unchangeable version; definition is the file as it was imported.
    CREATE TABLE questionnaires (
        id TEXT PRIMARY KEY,
        key TEXT NOT NULL,
        version INTEGER NOT NULL CHECK (version >= 1),
        definition TEXT NOT NULL,
        published_at INTEGER NOT NULL,
        UNIQUE (key, version)
    ) STRICT;

    CREATE TABLE assignments (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        questionnaire_id TEXT NOT NULL REFERENCES questionnaires (id),
        source TEXT NOT NULL CHECK (source IN
            ('therapist', 'rule', 'appointment', 'therapy_begin', 'therapy_end', 'study', 'daily')),
        available_from INTEGER NOT NULL,
        due_at INTEGER NOT NULL,
        assigned_at INTEGER NOT NULL,
        withdrawn_at INTEGER,
        CHECK (due_at > available_from)
    ) STRICT;
    CREATE INDEX assignments_therapy ON assignments (therapy_id, due_at);

    -- An answer sheet. Ids come from clients, so they are unique per account only. Sealed: answers, details.
    CREATE TABLE contributions (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        therapy_id TEXT REFERENCES therapies (id) ON DELETE CASCADE,
        assignment_id TEXT REFERENCES assignments (id),
        questionnaire_id TEXT NOT NULL REFERENCES questionnaires (id),
        started_at INTEGER NOT NULL,
        completed_at INTEGER NOT NULL,
        received_at INTEGER NOT NULL,
        timezone TEXT NOT NULL,
        answers BLOB NOT NULL,
        details BLOB,
        answered INTEGER NOT NULL,
        asked INTEGER NOT NULL,
        PRIMARY KEY (account_id, id),
        CHECK (completed_at >= started_at)
    ) STRICT;
    CREATE UNIQUE INDEX contributions_one_per_assignment ON contributions (assignment_id)
        WHERE assignment_id IS NOT NULL;
    CREATE INDEX contributions_therapy ON contributions (therapy_id, completed_at);
    CREATE INDEX contributions_account ON contributions (account_id, completed_at);

    -- value is null when too few items were answered; needed says how many it takes.
    CREATE TABLE contribution_scores (
        account_id TEXT NOT NULL,
        contribution_id TEXT NOT NULL,
        position INTEGER NOT NULL,
        scale TEXT NOT NULL,
        value REAL,
        answered INTEGER NOT NULL,
        items INTEGER NOT NULL,
        needed INTEGER NOT NULL,
        PRIMARY KEY (account_id, contribution_id, position),
        FOREIGN KEY (account_id, contribution_id) REFERENCES contributions (account_id, id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    """)
