import Database

/// Any number of languages: the columns of a language take any code, and texts have a place for every language.
///
/// German and English keep their columns, so that no row is rewritten; the others stand in one column beside them.
let m027Languages = Migration(
    "M027_Languages", .contract,
    """
    -- A check cannot be changed: a column beside it takes its place and its name.
    ALTER TABLE accounts ADD COLUMN any_language TEXT NOT NULL DEFAULT 'de' CHECK (length(any_language) IN (2, 3));
    UPDATE accounts SET any_language = language;
    ALTER TABLE accounts DROP COLUMN language;
    ALTER TABLE accounts RENAME COLUMN any_language TO language;

    -- The table anew: the language is part of its key.
    DROP TRIGGER info_pages_no_edit;
    ALTER TABLE info_pages RENAME TO info_pages_old;
    CREATE TABLE info_pages (
        page TEXT NOT NULL,
        language TEXT NOT NULL CHECK (length(language) IN (2, 3)),
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

    -- JSON objects, a text for each language but German and English; null for none.
    ALTER TABLE library_interventions ADD COLUMN text_other TEXT;
    ALTER TABLE studies ADD COLUMN title_other TEXT;
    ALTER TABLE studies ADD COLUMN description_other TEXT;
    ALTER TABLE studies ADD COLUMN text_other TEXT;
    ALTER TABLE study_consents ADD COLUMN text_other TEXT;
    """)
