import Database

/// A device whose zone has an unknown name loses no answer (RP-29).
let m104ZoneWords = Migration(
    "M104_ZoneWords", .expand,
    """
    -- What the device called its zone, where no zone has that name: the account's counts then. Null for a known name.
    ALTER TABLE contributions ADD COLUMN zone_word TEXT;
    ALTER TABLE measurement_days ADD COLUMN zone_word TEXT;
    """)
