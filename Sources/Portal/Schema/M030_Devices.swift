import Database

/// Codes by which one device approves another (PW-4); visitors' errands until they have an account (PW-1).
let m030Devices = Migration(
    "M030_Devices", .contract,
    """
    -- One live code an account. What enters it waits in the claim until the first device has said yes: only then is there
    -- a credential.
    CREATE TABLE device_codes (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        lookup BLOB NOT NULL UNIQUE,
        code BLOB NOT NULL,
        expires_at INTEGER NOT NULL,
        claim_id TEXT,
        claim_hash BLOB,
        claim_kind TEXT CHECK (claim_kind IN ('session', 'token')),
        claim_name BLOB,
        claim_platform TEXT,
        claim_os_version TEXT,
        claim_app_version TEXT,
        CHECK ((claim_id IS NULL) = (claim_hash IS NULL) AND (claim_id IS NULL) = (claim_kind IS NULL))
    ) STRICT;

    -- By the hash of a browser's cookie, sealed under a key that only that browser holds.
    CREATE TABLE errands (
        browser BLOB PRIMARY KEY,
        errand BLOB NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    """)
