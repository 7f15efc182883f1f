import Database

/// What a sheet in quarantine is about: an event that its answers are about stays while they wait for a decision (ST-2).
let m132HeldEvents = Migration(
    "M132_HeldEvents", .expand,
    """
    -- As the device says it; nil for sheets about no event, and for those from before.
    ALTER TABLE quarantined_sheets ADD COLUMN event_id TEXT;
    """)
