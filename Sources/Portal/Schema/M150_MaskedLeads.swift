import Database

/// Leads who must not learn the arm of a participant (ST-5). A program before it would tell them.
let m150MaskedLeads = Migration(
    "M150_MaskedLeads", .contract,
    """
    ALTER TABLE study_leads ADD COLUMN masked INTEGER NOT NULL DEFAULT 0 CHECK (masked IN (0, 1));
    """)
