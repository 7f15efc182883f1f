import Database

/// Calls outside of the app (PR-26), removed things that can come back, used undo tokens (PR-15), and files kept for
/// therapists after an account was deleted.
let m043PhoneContacts = Migration(
    "M043_PhoneContacts", .contract,
    """
    -- "Reached by phone, outside the app". note is sealed under the therapy's key.
    CREATE TABLE phone_contacts (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        note BLOB,
        made_at INTEGER NOT NULL,
        removed_at INTEGER
    ) STRICT;
    CREATE INDEX phone_contacts_therapy ON phone_contacts (therapy_id, at);

    ALTER TABLE pauses ADD COLUMN removed_at INTEGER;
    ALTER TABLE batteries ADD COLUMN removed_at INTEGER;

    CREATE TABLE spent_undos (
        id TEXT PRIMARY KEY,
        expires_at INTEGER NOT NULL
    ) STRICT;

    -- document is sealed under the therapist's key; it names no patient but by the codename.
    CREATE TABLE kept_files (
        id TEXT PRIMARY KEY,
        therapist_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        codename TEXT NOT NULL,
        document BLOB NOT NULL,
        made_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX kept_files_therapist ON kept_files (therapist_id, expires_at);
    """)
