import Database

/// Former states of profiles (SN-4), and runs of matching a tinnitus.
let m047Tinnitus = Migration(
    "M047_Tinnitus", .contract,
    """
    -- One row for each time that answers of a profile were given, changed or taken back; the sheet itself holds the latest.
    -- id: of what a device sent. Sealed: changes.
    CREATE TABLE profile_changes (
        account_id TEXT NOT NULL,
        id TEXT NOT NULL,
        contribution_id TEXT NOT NULL,
        questionnaire_id TEXT NOT NULL REFERENCES questionnaires (id),
        received_at INTEGER NOT NULL,
        changes BLOB NOT NULL,
        PRIMARY KEY (account_id, id),
        FOREIGN KEY (account_id, contribution_id) REFERENCES contributions (account_id, id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX profile_changes_sheet ON profile_changes (account_id, contribution_id, received_at);
    CREATE INDEX profile_changes_questionnaire ON profile_changes (questionnaire_id);

    -- A run of matching. Levels are over the person's own threshold. Sealed: headphones, device.
    CREATE TABLE tinnitus_matches (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        matched_at INTEGER NOT NULL,
        method TEXT NOT NULL CHECK (method IN ('like', 'slider', '2afc')),
        ear TEXT NOT NULL CHECK (ear IN ('left', 'right', 'both')),
        kind TEXT NOT NULL CHECK (kind IN ('tone', 'noise')),
        frequency_hz REAL NOT NULL CHECK (frequency_hz BETWEEN 20 AND 20000),
        level_sl_db REAL NOT NULL CHECK (level_sl_db BETWEEN -20 AND 100),
        bandwidth_octaves REAL CHECK (bandwidth_octaves BETWEEN 0.05 AND 2),
        certainty REAL NOT NULL CHECK (certainty BETWEEN 0 AND 10),
        headphones BLOB,
        device BLOB,
        run INTEGER NOT NULL CHECK (run >= 1),
        received_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tinnitus_matches_matched ON tinnitus_matches (account_id, matched_at);
    """)
