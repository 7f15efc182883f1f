import Database

/// A library of sounds, listening (SN-1, SN-2, SN-3), and the sharing of own measurements.
let m046Sounds = Migration(
    "M046_Sounds", .contract,
    """
    CREATE TABLE sound_categories (
        id TEXT PRIMARY KEY,
        title_de TEXT, title_en TEXT, title_other TEXT,
        position INTEGER NOT NULL,
        archived_at INTEGER,
        CHECK (title_de IS NOT NULL OR title_en IS NOT NULL)
    ) STRICT;

    -- What lies in the folder of sounds, once however many sounds are made of it. measures: what was measured of it, with
    -- its shape, as JSON; null for pictures.
    CREATE TABLE sound_files (
        hash TEXT PRIMARY KEY,
        bytes INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('audio', 'picture')),
        media_type TEXT NOT NULL,
        measures TEXT,
        stored_at INTEGER NOT NULL
    ) STRICT;

    -- loop_start and loop_end are samples, the end is the first one behind the loop. A sound is heard by everybody from
    -- published_at on, and by nobody new from archived_at on.
    CREATE TABLE sounds (
        id TEXT PRIMARY KEY,
        category_id TEXT NOT NULL REFERENCES sound_categories (id),
        title_de TEXT, title_en TEXT, title_other TEXT,
        credits TEXT NOT NULL,
        licence TEXT NOT NULL,
        position INTEGER NOT NULL,
        picture_hash TEXT REFERENCES sound_files (hash),
        audio_hash TEXT NOT NULL REFERENCES sound_files (hash),
        media_type TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        length_ms INTEGER NOT NULL,
        sample_rate INTEGER NOT NULL,
        channels INTEGER NOT NULL,
        loudness_lufs REAL,
        true_peak_db REAL,
        gain_db REAL NOT NULL,
        loop_start INTEGER,
        loop_end INTEGER,
        made_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        published_at INTEGER,
        archived_at INTEGER,
        CHECK (title_de IS NOT NULL OR title_en IS NOT NULL),
        CHECK ((loop_start IS NULL) = (loop_end IS NULL)),
        CHECK (loop_end > loop_start OR loop_end IS NULL)
    ) STRICT;
    CREATE INDEX sounds_category ON sounds (category_id);
    CREATE INDEX sounds_audio ON sounds (audio_hash);
    CREATE INDEX sounds_picture ON sounds (picture_hash) WHERE picture_hash IS NOT NULL;

    -- A file that was measured and waits for a title; gone after a day.
    CREATE TABLE sound_uploads (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        audio_hash TEXT NOT NULL REFERENCES sound_files (hash),
        picture_hash TEXT REFERENCES sound_files (hash),
        made_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sound_uploads_account ON sound_uploads (account_id);
    CREATE INDEX sound_uploads_audio ON sound_uploads (audio_hash);
    CREATE INDEX sound_uploads_picture ON sound_uploads (picture_hash) WHERE picture_hash IS NOT NULL;

    -- loop_minutes: null for once, 0 for without an end. Never changed once it is there.
    CREATE TABLE listening_sessions (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        sound_id TEXT NOT NULL REFERENCES sounds (id),
        audio_hash TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        listened_seconds REAL NOT NULL CHECK (listened_seconds >= 0),
        loop_minutes INTEGER CHECK (loop_minutes IN (0, 2, 5, 10)),
        rating INTEGER CHECK (rating BETWEEN 1 AND 7),
        rating_state TEXT NOT NULL CHECK (rating_state IN ('rated', 'declined', 'timed_out')),
        received_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, id),
        CHECK ((rating_state = 'rated') = (rating IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX listening_sessions_started ON listening_sessions (account_id, started_at);
    CREATE INDEX listening_sessions_sound ON listening_sessions (sound_id);

    CREATE TABLE sound_favourites (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        sound_id TEXT NOT NULL REFERENCES sounds (id) ON DELETE CASCADE,
        added_at INTEGER NOT NULL,
        PRIMARY KEY (account_id, sound_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sound_favourites_sound ON sound_favourites (sound_id);

    -- A row: the therapist sees it, from this day on; null: everything.
    CREATE TABLE measurement_sharing (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        type TEXT NOT NULL,
        since TEXT,
        PRIMARY KEY (account_id, type)
    ) STRICT, WITHOUT ROWID;
    """)
