import Database

/// Swiss German beside the other two (PR-23, PR-24), and texts and reactions from the starter set.
let m038Starter = Migration(
    "M038_Starter", .contract,
    """
    -- The table anew: one more way of writing German.
    ALTER TABLE clinic_settings RENAME TO clinic_settings_old;
    CREATE TABLE clinic_settings (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        name TEXT,
        timezone TEXT,
        language_variant TEXT CHECK (language_variant IN ('de-AT', 'de-DE', 'de-CH')),
        crisis_numbers TEXT,
        sheet_labels TEXT,
        revision INTEGER NOT NULL CHECK (revision >= 1),
        changed_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO clinic_settings
        (id, name, timezone, language_variant, crisis_numbers, sheet_labels, revision, changed_at)
        SELECT id, name, timezone, language_variant, crisis_numbers, sheet_labels, revision, changed_at
        FROM clinic_settings_old;
    DROP TABLE clinic_settings_old;

    -- Which piece of the starter set it is; a removed one was removed for a reason and is not brought again.
    ALTER TABLE library_interventions ADD COLUMN starter TEXT;
    CREATE UNIQUE INDEX library_interventions_starter ON library_interventions (starter) WHERE starter IS NOT NULL;
    ALTER TABLE rules ADD COLUMN starter TEXT;
    CREATE UNIQUE INDEX rules_starter ON rules (owner_id, starter) WHERE starter IS NOT NULL;
    """)
