import Database

/// Calendar feeds, the state of a session known to calendars, and the kinds of notifications.
let m008Calendar = Migration(
    "M008_Calendar", .contract,
    """
    -- The address under which a therapist's calendar reads their sessions. lookup finds it by its hash; token is the
    -- sealed text, to be shown again.
    CREATE TABLE calendar_feeds (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        lookup BLOB NOT NULL UNIQUE,
        token BLOB NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT;

    -- Counts the changes a calendar has to take over (RFC 5545, SEQUENCE), and when the last one was.
    ALTER TABLE therapy_sessions ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE therapy_sessions ADD COLUMN changed_at INTEGER;

    ALTER TABLE accounts ADD COLUMN notify_questionnaires INTEGER NOT NULL DEFAULT 1 CHECK (notify_questionnaires IN (0, 1));
    ALTER TABLE accounts ADD COLUMN notify_interventions INTEGER NOT NULL DEFAULT 1 CHECK (notify_interventions IN (0, 1));
    ALTER TABLE accounts ADD COLUMN notify_appointments INTEGER NOT NULL DEFAULT 1 CHECK (notify_appointments IN (0, 1));
    """)
