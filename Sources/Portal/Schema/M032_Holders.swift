import Database

/// Who is not paired may fill in on paper or behind a link. The sheets belong to an account that nobody signs in with, as
/// those of participants on paper do: the holder. Pairing moves nothing. A link writes for whom it was made.
let m032Holders = Migration(
    "M032_Holders",
    """
    ALTER TABLE therapies ADD COLUMN holder_id TEXT REFERENCES accounts (id) ON DELETE SET NULL;
    CREATE INDEX therapies_account ON therapies (account_id) WHERE account_id IS NOT NULL;
    CREATE INDEX therapies_holder ON therapies (holder_id) WHERE holder_id IS NOT NULL;
    ALTER TABLE assignment_links ADD COLUMN account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE;
    CREATE INDEX assignment_links_account ON assignment_links (account_id);
    """)
