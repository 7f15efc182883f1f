import Database

/// The measurements each account has stored in a day of its own, so that none can fill the disk.
let m061MeasurementIntake = Migration(
    "M061_MeasurementIntake", .contract,
    """
    CREATE TABLE measurement_intake (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        day TEXT NOT NULL,
        documents INTEGER NOT NULL CHECK (documents >= 0),
        bytes INTEGER NOT NULL CHECK (bytes >= 0),
        PRIMARY KEY (account_id, day)
    ) STRICT, WITHOUT ROWID;
    """)
