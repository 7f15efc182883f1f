import Database

/// Whether an agreement named the version of the text that was shown (RP-204).
let m093VersionTold = Migration(
    "M093_VersionTold", .expand,
    """
    -- Null: from before this was kept.
    ALTER TABLE enrolment_consents ADD COLUMN version_told INTEGER CHECK (version_told IN (0, 1));
    ALTER TABLE consent_choices ADD COLUMN version_told INTEGER CHECK (version_told IN (0, 1));
    """)
