import Database

/// Whether a study gets the position is asked at enrolment, and the result is reported (FD-27).
let m071Location = Migration(
    "M071_Location", .contract,
    """
    -- Why the position is recorded, in the leads' words.
    ALTER TABLE studies ADD COLUMN location_reason_de TEXT;
    ALTER TABLE studies ADD COLUMN location_reason_en TEXT;
    ALTER TABLE studies ADD COLUMN location_reason_other TEXT;
    -- Null: not asked yet. Then the person's own settings alone decide, as before.
    ALTER TABLE enrolments ADD COLUMN location TEXT CHECK (location IN ('allowed', 'refused'));
    ALTER TABLE enrolments ADD COLUMN location_at INTEGER;
    -- What the device said last, with a sheet. Null: nothing yet.
    ALTER TABLE enrolments ADD COLUMN location_device TEXT CHECK (location_device IN ('read', 'refused'));
    """)
