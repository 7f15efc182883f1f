import Database

/// The former address of a member of staff takes the account's address back for seven days (RP-215).
let m101EmailReturns = Migration(
    "M101_EmailReturns", .expand,
    """
    -- Of a change that was confirmed: the address before, sealed like the new one, and the link that went there. Null
    -- where there is nothing to take back, or no longer.
    ALTER TABLE email_changes ADD COLUMN former_email BLOB;
    ALTER TABLE email_changes ADD COLUMN return_hash BLOB;
    ALTER TABLE email_changes ADD COLUMN return_until INTEGER;
    CREATE UNIQUE INDEX email_changes_return ON email_changes (return_hash);
    """)
