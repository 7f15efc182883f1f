import Database

/// Registrations of an address that is not proved live side by side (RP-208).
let m100UnprovenAddresses = Migration(
    "M100_UnprovenAddresses", .contract,
    """
    -- Finds a registration whose address is not proved; several may have the same. Its email_lookup is its id until then, which
    -- no address finds. Null once it is proved, and for staff.
    ALTER TABLE accounts ADD COLUMN unproven_lookup BLOB;
    CREATE INDEX accounts_unproven ON accounts (unproven_lookup);
    UPDATE accounts SET unproven_lookup = email_lookup, email_lookup = CAST(id AS BLOB)
    WHERE kind = 'patient' AND verified_at IS NULL;
    """)
