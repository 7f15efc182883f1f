import Database

/// Notices that appointments have kept their local time by newer zone data (RP-19).
let m106ClockNotices = Migration(
    "M106_ClockNotices", .contract,
    """
    -- One more kind of notice.
    CREATE TABLE notices_new (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN
            ('cover', 'handover', 'second_therapist', 'supervisor', 'study_message', 'consent_changed',
             'wearable_consent', 'clock_change')),
        words BLOB NOT NULL,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER,
        made_at INTEGER NOT NULL,
        seen_at INTEGER,
        CHECK (ends_at > starts_at)
    ) STRICT;
    INSERT INTO notices_new (id, account_id, kind, words, starts_at, ends_at, made_at, seen_at)
    SELECT id, account_id, kind, words, starts_at, ends_at, made_at, seen_at FROM notices;
    DROP TABLE notices;
    ALTER TABLE notices_new RENAME TO notices;
    CREATE INDEX notices_account ON notices (account_id, made_at);
    """)
