import Database

/// Answers that have to be seen as one thing, mails about those that stay unseen, and emergency contacts (PR-27, PR-28, PR-29).
let m081Risk = Migration(
    "M081_Risk", .expand,
    """
    -- Sealed under the therapy's key: the word with which an answer was marked as seen.
    ALTER TABLE contributions ADD COLUMN seen_comment BLOB;
    CREATE INDEX contributions_seen ON contributions (seen_at) WHERE seen_at IS NOT NULL;
    CREATE INDEX rule_firings_sheet ON rule_firings (contribution_id) WHERE contribution_id IS NOT NULL;

    -- After how many hours unseen a mail goes out; at most one row. Null: no mails. Without a row, as shipped: only
    -- installations from before begin without mails.
    CREATE TABLE unseen_mail_setting (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        hours INTEGER CHECK (hours BETWEEN 1 AND 168)
    ) STRICT;
    INSERT INTO unseen_mail_setting (id, hours) SELECT 1, NULL WHERE EXISTS (SELECT 1 FROM accounts);
    -- When an account was last mailed about unseen answers: at most once a day.
    CREATE TABLE unseen_mails (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        sent_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- The person to call where a patient cannot be reached. Sealed under the therapy's key: name, relation, phone, knows.
    CREATE TABLE emergency_contacts (
        therapy_id TEXT PRIMARY KEY REFERENCES therapies (id) ON DELETE CASCADE,
        contact BLOB NOT NULL,
        changed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    -- Each time that a colleague who stands in has opened it. words: sealed like the contact. read_at: by the therapist.
    CREATE TABLE emergency_openings (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        reason TEXT NOT NULL CHECK (reason IN ('risk', 'unreachable', 'other')),
        words BLOB,
        opened_at INTEGER NOT NULL,
        read_at INTEGER
    ) STRICT;
    CREATE INDEX emergency_openings_therapy ON emergency_openings (therapy_id, opened_at);
    CREATE INDEX emergency_openings_account ON emergency_openings (account_id, opened_at);
    """)
