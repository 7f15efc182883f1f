import Database

/// A draft behind a one-time link belongs to its browser, and a link stores the browser that sent it.
let m057LinkDrafts = Migration(
    "M057_LinkDrafts", .contract,
    """
    CREATE TABLE link_drafts (
        link BLOB NOT NULL REFERENCES assignment_links (hash) ON DELETE CASCADE,
        browser BLOB NOT NULL,
        answers BLOB NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (link, browser)
    ) STRICT;
    ALTER TABLE assignment_links ADD COLUMN sent_at INTEGER;
    ALTER TABLE assignment_links ADD COLUMN sent_by BLOB;
    """)
