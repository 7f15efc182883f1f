import Database

/// Traits of devices, and those of a device that waits for approval, with time and wish to stay (FD-18).
let m074DeviceTraits = Migration(
    "M074_DeviceTraits", .contract,
    """
    -- In coarse names; null where nothing was said, and for sessions of before until their next noted use.
    ALTER TABLE credentials ADD COLUMN browser TEXT;
    ALTER TABLE credentials ADD COLUMN system TEXT;
    -- Whether own pages were begun from the home screen.
    ALTER TABLE credentials ADD COLUMN installed INTEGER NOT NULL DEFAULT 0 CHECK (installed IN (0, 1));
    ALTER TABLE device_codes ADD COLUMN claim_at INTEGER;
    ALTER TABLE device_codes ADD COLUMN claim_browser TEXT;
    ALTER TABLE device_codes ADD COLUMN claim_system TEXT;
    ALTER TABLE device_codes ADD COLUMN claim_stays INTEGER NOT NULL DEFAULT 0 CHECK (claim_stays IN (0, 1));
    """)
