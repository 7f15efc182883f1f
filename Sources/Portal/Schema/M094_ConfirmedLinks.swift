import Database

/// Links that confirmed an address say so when they are opened again (RP-220).
let m094ConfirmedLinks = Migration(
    "M094_ConfirmedLinks", .expand,
    """
    -- Null: not used for it, or before this was kept. A link is spent without it when another one takes its place.
    ALTER TABLE mail_tokens ADD COLUMN confirmed_at INTEGER;
    ALTER TABLE email_changes ADD COLUMN confirmed_at INTEGER;
    """)
