import Database

/// Sites of staff, and discarded sheets that can be brought back.
let m023Sites = Migration(
    "M023_Sites", .contract,
    """
    -- Of staff, for a clinic of several places; null where there is only one.
    ALTER TABLE accounts ADD COLUMN site TEXT;

    -- Discarded sheets keep what was sent for 30 days.
    CREATE INDEX quarantined_sheets_discarded ON quarantined_sheets (decided_at) WHERE decision = 'discarded';
    """)
