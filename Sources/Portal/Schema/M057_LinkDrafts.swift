import Database

/// What is typed behind a one-time link belongs to the browser that typed it, and a link knows by which one it was sent.
let m057LinkDrafts = Migration(
    "M057_LinkDrafts",
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
