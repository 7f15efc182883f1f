import Database

/// Receipts of leaving a study (ST-6). The receipt itself names no account and outlives it; which one is whose lies beside the
/// participation, the number sealed, for its own pages.
let m137Receipts = Migration(
    "M137_Receipts", .expand,
    """
    CREATE TABLE leaving_receipts (
        -- Digest of the number: with the table alone no receipt can be shown.
        number BLOB PRIMARY KEY,
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        -- A day, as noon in the clinic's zone: a moment would lead to the participation.
        left_at INTEGER NOT NULL,
        is_erased INTEGER NOT NULL CHECK (is_erased IN (0, 1))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE enrolment_receipts (
        enrolment_id TEXT PRIMARY KEY REFERENCES enrolments (id) ON DELETE CASCADE,
        -- Of `leaving_receipts`: what is erased later is said there, too.
        receipt BLOB NOT NULL,
        number BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    """)
