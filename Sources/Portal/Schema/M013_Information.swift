import Database

/// Information pages, and the agreed versions of the privacy statement.
let m013Information = Migration(
    "M013_Information", .contract,
    """
    -- In CommonMark; a version is never changed, because people have agreed to it.
    CREATE TABLE info_pages (
        page TEXT NOT NULL,
        language TEXT NOT NULL CHECK (language IN ('de', 'en')),
        version INTEGER NOT NULL CHECK (version >= 2),
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        published_at INTEGER NOT NULL,
        published_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
        PRIMARY KEY (page, version, language)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER info_pages_no_edit BEFORE UPDATE OF page, language, version, title, body, published_at ON info_pages
    BEGIN SELECT RAISE(ABORT, 'a published page never changes'); END;

    ALTER TABLE consent_choices ADD COLUMN text_version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE accounts ADD COLUMN privacy_version INTEGER;
    UPDATE accounts SET privacy_version = 1 WHERE privacy_accepted_at IS NOT NULL;
    """)
