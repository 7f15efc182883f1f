import Database

/// Whether a second factor opened a credential: where one is required, staff's credentials without one end.
let m025CredentialFactors = Migration(
    "M025_CredentialFactors", .contract,
    """
    ALTER TABLE credentials ADD COLUMN by_second_factor INTEGER NOT NULL DEFAULT 0 CHECK (by_second_factor IN (0, 1));

    -- Whoever has one is asked for it at every sign-in, and taking it away ends everything: what came after it was set up
    -- came through it. Of all else nobody knows.
    UPDATE credentials SET by_second_factor = 1 WHERE kind IN ('session', 'token') AND EXISTS (
        SELECT 1 FROM second_factors
        WHERE second_factors.account_id = credentials.account_id AND second_factors.made_at <= credentials.created_at
    );
    """)
