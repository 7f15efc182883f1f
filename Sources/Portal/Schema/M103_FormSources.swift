import Database

/// The form that a questionnaire came from: by that its next version is known again, and no other form is taken for one (RP-5).
let m103FormSources = Migration(
    "M103_FormSources", .expand,
    """
    -- kind: url, a canonical address; identifier, one of its identifiers, with its system before it. key: the
    -- questionnaire that the form became, which is also the answer to the question whether it is one already.
    CREATE TABLE form_sources (
        kind TEXT NOT NULL CHECK (kind IN ('url', 'identifier')),
        value TEXT NOT NULL,
        key TEXT NOT NULL,
        noted_at INTEGER NOT NULL,
        PRIMARY KEY (kind, value)
    ) STRICT;
    CREATE INDEX form_sources_key ON form_sources (key);

    -- The same of a form that came in as a draft, as a list in JSON. Null: it did not come from elsewhere.
    ALTER TABLE questionnaire_drafts ADD COLUMN sources TEXT;
    """)
