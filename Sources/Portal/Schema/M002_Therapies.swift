import Database

/// Therapies, the codes that pair them with accounts, and their sessions.
let m002Therapies = Migration(
    "M002_Therapies", .contract,
    """
    -- One course of one person with one therapist (the API's patient). Sealed: note, birth_date.
    CREATE TABLE therapies (
        id TEXT PRIMARY KEY,
        therapist_id TEXT NOT NULL REFERENCES accounts (id),
        account_id TEXT REFERENCES accounts (id),
        codename TEXT NOT NULL UNIQUE,
        wrapped_key BLOB NOT NULL,
        note BLOB,
        birth_date BLOB,
        gender TEXT CHECK (gender IN ('female', 'male', 'diverse', 'not_stated')),
        created_at INTEGER NOT NULL,
        paired_at INTEGER,
        started_on TEXT,
        ends_on TEXT,
        ended_at INTEGER,
        ended_on TEXT,
        last_activity_at INTEGER,
        CHECK ((account_id IS NULL) = (paired_at IS NULL)),
        CHECK ((ended_at IS NULL) = (ended_on IS NULL))
    ) STRICT;
    CREATE INDEX therapies_therapist ON therapies (therapist_id);
    CREATE UNIQUE INDEX therapies_one_running ON therapies (account_id)
        WHERE account_id IS NOT NULL AND ended_at IS NULL;

    -- lookup finds a code by its keyed hash; code is the sealed text for the sheet, gone once the code is dead.
    CREATE TABLE pairing_codes (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        lookup BLOB NOT NULL UNIQUE,
        code BLOB,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        used_at INTEGER,
        replaced_at INTEGER,
        CHECK (expires_at > created_at)
    ) STRICT;
    CREATE INDEX pairing_codes_therapy ON pairing_codes (therapy_id);

    -- mark is the therapist's own word; without it time tells whether a session is planned or held.
    CREATE TABLE therapy_sessions (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        mark TEXT CHECK (mark IN ('planned', 'held', 'missed', 'cancelled')),
        appointment_id TEXT,
        noted_at INTEGER NOT NULL,
        CHECK (ends_at > starts_at)
    ) STRICT;
    CREATE INDEX therapy_sessions_therapy ON therapy_sessions (therapy_id, starts_at);
    """)
