import Database

/// The filter and the order of the list of patients, kept for each therapist (PR-34).
let m088CaseloadViews = Migration(
    "M088_CaseloadViews", .expand,
    """
    CREATE TABLE caseload_views (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        filter TEXT NOT NULL,
        sort TEXT NOT NULL,
        is_reversed INTEGER NOT NULL CHECK (is_reversed IN (0, 1))
    ) STRICT;
    """)
