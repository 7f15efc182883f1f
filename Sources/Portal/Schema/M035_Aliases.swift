import Database

/// Therapists' names for patients (PR-6), and preferences for pages: names shown or not, keys used or not (PR-8).
let m035Aliases = Migration(
    "M035_Aliases", .contract,
    """
    -- Sealed like the note.
    ALTER TABLE therapies ADD COLUMN alias BLOB;
    ALTER TABLE hand_over_wishes ADD COLUMN alias INTEGER NOT NULL DEFAULT 0 CHECK (alias IN (0, 1));
    ALTER TABLE withheld_words ADD COLUMN alias BLOB;

    ALTER TABLE accounts ADD COLUMN names_hidden INTEGER NOT NULL DEFAULT 0 CHECK (names_hidden IN (0, 1));
    ALTER TABLE accounts ADD COLUMN keys_off INTEGER NOT NULL DEFAULT 0 CHECK (keys_off IN (0, 1));
    """)
