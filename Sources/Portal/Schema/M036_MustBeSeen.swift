import Database

/// Answers that must be seen (PR-11), and therapists' last visits of files (PR-9).
let m036MustBeSeen = Migration(
    "M036_MustBeSeen", .contract,
    """
    -- Whether a sheet holds such an answer; which one, its questionnaire says.
    ALTER TABLE contributions ADD COLUMN must_be_seen INTEGER NOT NULL DEFAULT 0 CHECK (must_be_seen IN (0, 1));
    ALTER TABLE contributions ADD COLUMN seen_at INTEGER;
    ALTER TABLE contributions ADD COLUMN seen_by TEXT;
    CREATE INDEX contributions_unseen ON contributions (therapy_id, received_at)
        WHERE must_be_seen = 1 AND seen_at IS NULL;

    CREATE TABLE file_looks (
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        looked_at INTEGER NOT NULL,
        PRIMARY KEY (therapy_id, account_id)
    ) STRICT;
    CREATE INDEX file_looks_account ON file_looks (account_id);
    """)
