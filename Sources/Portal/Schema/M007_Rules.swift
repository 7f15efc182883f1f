import Database

/// Rules over results, their firings, and alerts (IO-12, IO-22).
let m007Rules = Migration(
    "M007_Rules", .contract,
    """
    -- When … then …, of one therapist. definition is the rule as JSON without its words; those are sealed in texts,
    -- because they may speak of one person. for_all: every patient of theirs, else those in rule_therapies. Off while
    -- enabled_at is null.
    CREATE TABLE rules (
        id TEXT PRIMARY KEY,
        owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        definition TEXT NOT NULL,
        texts BLOB NOT NULL,
        for_all INTEGER NOT NULL CHECK (for_all IN (0, 1)),
        enabled_at INTEGER,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        retired_at INTEGER
    ) STRICT;
    CREATE INDEX rules_owner ON rules (owner_id, for_all);
    CREATE TABLE rule_therapies (
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        rule_id TEXT NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
        PRIMARY KEY (therapy_id, rule_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX rule_therapies_rule ON rule_therapies (rule_id);

    -- Each time a rule was met, with what it did. Sealed: record, the rule as it was and the values that made it fire.
    -- withheld: there was an intervention to give, and this patient gets none.
    CREATE TABLE rule_firings (
        id TEXT PRIMARY KEY,
        rule_id TEXT NOT NULL REFERENCES rules (id),
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        record BLOB NOT NULL,
        contribution_id TEXT,
        intervention_id TEXT REFERENCES interventions (id) ON DELETE SET NULL,
        withheld INTEGER NOT NULL DEFAULT 0 CHECK (withheld IN (0, 1)),
        in_briefing INTEGER NOT NULL DEFAULT 0 CHECK (in_briefing IN (0, 1)),
        mail INTEGER NOT NULL DEFAULT 0 CHECK (mail IN (0, 1)),
        mailed_at INTEGER
    ) STRICT;
    CREATE INDEX rule_firings_therapy ON rule_firings (therapy_id, at);
    CREATE INDEX rule_firings_rule ON rule_firings (rule_id, therapy_id, at);
    CREATE INDEX rule_firings_mail ON rule_firings (at) WHERE mail = 1 AND mailed_at IS NULL;
    CREATE INDEX rule_firings_intervention ON rule_firings (intervention_id) WHERE intervention_id IS NOT NULL;

    -- What has made a rule fire for a patient, as hashes: it fires again only when something is new among it.
    CREATE TABLE rule_evidence (
        rule_id TEXT NOT NULL REFERENCES rules (id),
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        fact BLOB NOT NULL,
        PRIMARY KEY (rule_id, therapy_id, fact)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX rule_evidence_therapy ON rule_evidence (therapy_id);

    -- Sealed: comment, the word with which somebody acknowledged it.
    CREATE TABLE alerts (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        firing_id TEXT NOT NULL REFERENCES rule_firings (id) ON DELETE CASCADE,
        raised_at INTEGER NOT NULL,
        acknowledged_at INTEGER,
        acknowledged_by TEXT REFERENCES accounts (id) ON DELETE SET NULL,
        comment BLOB,
        CHECK (acknowledged_at IS NOT NULL OR (acknowledged_by IS NULL AND comment IS NULL))
    ) STRICT;
    CREATE INDEX alerts_open ON alerts (therapy_id) WHERE acknowledged_at IS NULL;
    CREATE INDEX alerts_therapy ON alerts (therapy_id, raised_at);

    -- Holidays of a patient, or of a therapist and then for all of their patients. Sealed: cover, who stands in.
    CREATE TABLE pauses (
        id TEXT PRIMARY KEY,
        therapist_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        therapy_id TEXT REFERENCES therapies (id) ON DELETE CASCADE,
        starts_on TEXT NOT NULL,
        ends_on TEXT NOT NULL,
        cover BLOB,
        made_at INTEGER NOT NULL,
        CHECK (ends_on >= starts_on)
    ) STRICT;
    CREATE INDEX pauses_therapist ON pauses (therapist_id, starts_on);
    CREATE INDEX pauses_therapy ON pauses (therapy_id) WHERE therapy_id IS NOT NULL;

    -- The newest sheets of one questionnaire, without looking at all the others.
    CREATE INDEX contributions_questionnaire ON contributions (therapy_id, questionnaire_id, completed_at);
    """)
