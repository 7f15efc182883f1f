import Database

/// Receipts of leaving a study (ST-6). The receipt itself names no account and outlives it; the number lies sealed beside the
/// participation, for its own pages.
let m137Receipts = Migration(
    "M137_Receipts", .expand,
    """
    CREATE TABLE leaving_receipts (
        -- Digest of the number: with the table alone no receipt can be shown.
        number BLOB PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        left_at INTEGER NOT NULL,
        is_erased INTEGER NOT NULL CHECK (is_erased IN (0, 1))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE enrolment_receipts (
        enrolment_id TEXT PRIMARY KEY REFERENCES enrolments (id) ON DELETE CASCADE,
        number BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    """)
