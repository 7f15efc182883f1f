import Database

/// Where staff work, and discarded sheets that may come back.
let m023Sites = Migration(
    "M023_Sites",
    """
    -- Of staff, for a clinic of several places; null where there is only one.
    ALTER TABLE accounts ADD COLUMN site TEXT;

    -- Discarded sheets keep what was sent for 30 days.
    CREATE INDEX quarantined_sheets_discarded ON quarantined_sheets (decided_at) WHERE decision = 'discarded';
    """)
