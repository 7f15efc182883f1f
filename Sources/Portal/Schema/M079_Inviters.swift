import Database

/// The inviting account, for the page behind an invitation.
let m079Inviters = Migration(
    "M079_Inviters", .contract,
    """
    -- The account that invited; NULL for a link that its owner has asked for, and for invitations from before.
    ALTER TABLE password_resets ADD COLUMN invited_by TEXT REFERENCES accounts (id) ON DELETE SET NULL;
    CREATE INDEX password_resets_inviter ON password_resets (invited_by) WHERE invited_by IS NOT NULL;
    """)
