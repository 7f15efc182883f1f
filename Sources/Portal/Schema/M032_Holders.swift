import Database

/// Unpaired patients may fill in on paper or behind a link. The sheets belong to an account without a sign-in, as
/// those of participants on paper: the holder. Pairing moves nothing. A link writes for the account it was made for.
let m032Holders = Migration(
    "M032_Holders", .contract,
    """
    ALTER TABLE therapies ADD COLUMN holder_id TEXT REFERENCES accounts (id) ON DELETE SET NULL;
    CREATE INDEX therapies_account ON therapies (account_id) WHERE account_id IS NOT NULL;
    CREATE INDEX therapies_holder ON therapies (holder_id) WHERE holder_id IS NOT NULL;
    ALTER TABLE assignment_links ADD COLUMN account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE;
    CREATE INDEX assignment_links_account ON assignment_links (account_id);
    """)
