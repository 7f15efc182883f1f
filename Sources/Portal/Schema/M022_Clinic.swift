import Database

/// The clinic's settings, its own information pages, notices to patients, and the hand-over of therapies.
let m022Clinic = Migration(
    "M022_Clinic", .contract,
    """
    -- At most one row. timezone counts where the program was not told one. Null: as it follows from the zone.
    -- crisis_numbers: a list of {number, label}; sheet_labels: what the apps call the steps of pairing, by language.
    CREATE TABLE clinic_settings (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        name TEXT,
        timezone TEXT,
        language_variant TEXT CHECK (language_variant IN ('de-AT', 'de-DE')),
        crisis_numbers TEXT,
        sheet_labels TEXT,
        revision INTEGER NOT NULL CHECK (revision >= 1),
        changed_at INTEGER NOT NULL
    ) STRICT;

    -- The table anew: pages that are not shipped begin with version 1.
    DROP TRIGGER info_pages_no_edit;
    ALTER TABLE info_pages RENAME TO info_pages_old;
    CREATE TABLE info_pages (
        page TEXT NOT NULL,
        language TEXT NOT NULL CHECK (language IN ('de', 'en')),
        version INTEGER NOT NULL CHECK (version >= 1),
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        published_at INTEGER NOT NULL,
        published_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
        PRIMARY KEY (page, version, language)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO info_pages (page, language, version, title, body, published_at, published_by)
        SELECT page, language, version, title, body, published_at, published_by FROM info_pages_old;
    DROP TABLE info_pages_old;
    CREATE TRIGGER info_pages_no_edit BEFORE UPDATE OF page, language, version, title, body, published_at ON info_pages
    BEGIN SELECT RAISE(ABORT, 'a published page never changes'); END;
    -- Pages beside the shipped ones. Removed ones keep their texts.
    CREATE TABLE added_info_pages (
        page TEXT PRIMARY KEY,
        added_at INTEGER NOT NULL,
        removed_at INTEGER
    ) STRICT, WITHOUT ROWID;

    -- What a person is told, until they have seen it. Sealed under the account's key: words, by language.
    CREATE TABLE notices (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN
            ('cover', 'handover', 'second_therapist', 'supervisor', 'study_message', 'consent_changed')),
        words BLOB NOT NULL,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER,
        made_at INTEGER NOT NULL,
        seen_at INTEGER,
        CHECK (ends_at > starts_at)
    ) STRICT;
    CREATE INDEX notices_account ON notices (account_id, made_at);

    -- What of a therapist's own words goes along when a therapy is handed over; without a row nothing does.
    CREATE TABLE hand_over_wishes (
        therapy_id TEXT PRIMARY KEY REFERENCES therapies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        note INTEGER NOT NULL CHECK (note IN (0, 1)),
        questions INTEGER NOT NULL CHECK (questions IN (0, 1)),
        wished_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    -- Words of the therapist before that did not go along: read by nobody, and back when the therapy comes back.
    -- Sealed under the therapy's key, as they were: note, questions.
    CREATE TABLE withheld_words (
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        note BLOB,
        questions BLOB,
        withheld_at INTEGER NOT NULL,
        PRIMARY KEY (therapy_id, account_id)
    ) STRICT, WITHOUT ROWID;

    -- Who has put the first steps away.
    CREATE TABLE welcome_dismissals (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        dismissed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """)
