import Database

/// The library of interventions, those given to patients, and their vault. There is no column for an answer, nor for
/// whether a task was done: both stay on the phone (IO-13).
let m006Interventions = Migration(
    "M006_Interventions", .contract,
    """
    -- Texts to be given to patients. Nobody's data, so plain; at least one language.
    CREATE TABLE library_interventions (
        id TEXT PRIMARY KEY,
        owner_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
        shared INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1)),
        kind TEXT NOT NULL CHECK (kind IN ('commendation', 'task', 'question')),
        text_de TEXT,
        text_en TEXT,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        retired_at INTEGER,
        CHECK (text_de IS NOT NULL OR text_en IS NOT NULL)
    ) STRICT;

    -- What a patient was given. Sealed: text, as it was given, in its languages.
    CREATE TABLE interventions (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        library_id TEXT REFERENCES library_interventions (id) ON DELETE SET NULL,
        kind TEXT NOT NULL CHECK (kind IN ('commendation', 'task', 'question')),
        text BLOB NOT NULL,
        assigned_at INTEGER NOT NULL,
        opened_at INTEGER,
        completed_at INTEGER,
        withdrawn_at INTEGER,
        CHECK (completed_at IS NULL OR opened_at IS NULL OR completed_at >= opened_at),
        CHECK (withdrawn_at IS NULL OR (opened_at IS NULL AND completed_at IS NULL))
    ) STRICT;
    CREATE INDEX interventions_therapy ON interventions (therapy_id, assigned_at);
    CREATE INDEX interventions_library ON interventions (library_id) WHERE library_id IS NOT NULL;

    -- Ciphertext made on the patient's devices, opaque here; emptied it keeps its revision, so that a device that was
    -- away cannot overwrite what it has not seen. Sealed once more: ciphertext.
    CREATE TABLE vaults (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        ciphertext BLOB,
        revision INTEGER NOT NULL CHECK (revision >= 1),
        changed_at INTEGER NOT NULL
    ) STRICT;

    -- The arm of a controlled study (IO-21); null outside of one. Only 'full' gets interventions.
    ALTER TABLE therapies ADD COLUMN arm TEXT CHECK (arm IN ('full', 'no_interventions', 'no_app'));
    """)
