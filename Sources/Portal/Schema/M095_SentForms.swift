import Database

/// Forms that were sent, so that each acts once (RP-207).
let m095SentForms = Migration(
    "M095_SentForms", .expand,
    """
    -- name: a keyed hash of the account, the address and the page of the form. content: a keyed hash of what was sent.
    -- answer: where it led, sealed; null where the answer was a page, and until there is one.
    CREATE TABLE sent_forms (
        name TEXT PRIMARY KEY,
        content TEXT NOT NULL,
        answer BLOB,
        sent_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sent_forms_expired ON sent_forms (expires_at);
    """)
