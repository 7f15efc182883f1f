import Database

/// Protocols: plans that a therapist, a clinic or a study defines once for many therapies (PR-17).
let m041Protocols = Migration(
    "M041_Protocols", .contract,
    """
    -- definition: batteries, plan, dailies, reactions and interventions as JSON. acts_since: a study's protocol is put on
    -- those who came in from then on.
    CREATE TABLE protocols (
        id TEXT PRIMARY KEY,
        scope TEXT NOT NULL CHECK (scope IN ('own', 'clinic', 'study')),
        owner_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        study_id TEXT REFERENCES studies (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        definition TEXT NOT NULL,
        revision INTEGER NOT NULL DEFAULT 1,
        acts_since INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        retired_at INTEGER,
        CHECK ((scope = 'study') = (study_id IS NOT NULL))
    ) STRICT;
    CREATE INDEX protocols_owner ON protocols (owner_id);
    CREATE INDEX protocols_study ON protocols (study_id) WHERE study_id IS NOT NULL;

    -- The one that a therapist's new patients get unless another is chosen.
    CREATE TABLE protocol_defaults (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        protocol_id TEXT NOT NULL REFERENCES protocols (id) ON DELETE CASCADE
    ) STRICT;

    -- What is in force for a therapy: the definition as it was put or last followed. chosen: by the therapist, at most one;
    -- the others come from studies.
    CREATE TABLE therapy_protocols (
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        protocol_id TEXT NOT NULL REFERENCES protocols (id) ON DELETE CASCADE,
        chosen INTEGER NOT NULL CHECK (chosen IN (0, 1)),
        definition TEXT NOT NULL,
        revision INTEGER NOT NULL,
        put_at INTEGER NOT NULL,
        PRIMARY KEY (therapy_id, protocol_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX therapy_protocols_protocol ON therapy_protocols (protocol_id);
    CREATE UNIQUE INDEX therapy_protocols_one_chosen ON therapy_protocols (therapy_id) WHERE chosen = 1;
    """)
