import Database

/// The protocol of plan, reactions and interventions (PR-17).
let m042FromProtocols = Migration(
    "M042_FromProtocols", .contract,
    """
    -- Null: the patient's own. stopped_by_protocol: the protocol does not say it any more; a rule that a hand has stopped
    -- stays stopped, whatever the protocol says.
    ALTER TABLE delivery_rules ADD COLUMN protocol_id TEXT REFERENCES protocols (id) ON DELETE SET NULL;
    ALTER TABLE delivery_rules ADD COLUMN stopped_by_protocol INTEGER NOT NULL DEFAULT 0
        CHECK (stopped_by_protocol IN (0, 1));
    CREATE INDEX delivery_rules_protocol ON delivery_rules (protocol_id) WHERE protocol_id IS NOT NULL;

    -- Rules over results that look at a therapy because a protocol says so, whosever they are.
    CREATE TABLE rule_protocols (
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        rule_id TEXT NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
        protocol_id TEXT NOT NULL REFERENCES protocols (id) ON DELETE CASCADE,
        PRIMARY KEY (therapy_id, rule_id, protocol_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX rule_protocols_rule ON rule_protocols (rule_id);
    CREATE INDEX rule_protocols_protocol ON rule_protocols (protocol_id);

    -- Texts of the library that are sent on a day of the therapy, counted from its begin. intervention_id: what was sent.
    -- withdrawn_by_hand: stays withdrawn, whatever the protocol says.
    CREATE TABLE planned_interventions (
        id TEXT PRIMARY KEY,
        therapy_id TEXT NOT NULL REFERENCES therapies (id) ON DELETE CASCADE,
        protocol_id TEXT REFERENCES protocols (id) ON DELETE SET NULL,
        library_id TEXT NOT NULL REFERENCES library_interventions (id) ON DELETE CASCADE,
        day INTEGER NOT NULL CHECK (day BETWEEN 0 AND 730),
        made_at INTEGER NOT NULL,
        intervention_id TEXT REFERENCES interventions (id) ON DELETE SET NULL,
        sent_at INTEGER,
        withdrawn_at INTEGER,
        withdrawn_by_hand INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn_by_hand IN (0, 1))
    ) STRICT;
    CREATE INDEX planned_interventions_therapy ON planned_interventions (therapy_id);
    CREATE INDEX planned_interventions_waiting ON planned_interventions (therapy_id)
        WHERE sent_at IS NULL AND withdrawn_at IS NULL;
    CREATE INDEX planned_interventions_protocol ON planned_interventions (protocol_id) WHERE protocol_id IS NOT NULL;
    CREATE INDEX planned_interventions_library ON planned_interventions (library_id);
    CREATE INDEX planned_interventions_sent ON planned_interventions (intervention_id)
        WHERE intervention_id IS NOT NULL;
    """)
