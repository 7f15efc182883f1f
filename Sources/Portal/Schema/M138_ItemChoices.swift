import Database

/// What participants agree to or decline one by one beside the answers, each with its moment (ST-6). Until now an enrolment knew the
/// present state alone, with one moment for all kinds of measurements.
let m138ItemChoices = Migration(
    "M138_ItemChoices", .expand,
    """
    CREATE TABLE enrolment_choices (
        enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
        -- `location`, or a kind of measurements.
        kind TEXT NOT NULL,
        chosen_at INTEGER NOT NULL,
        is_given INTEGER NOT NULL CHECK (is_given IN (0, 1)),
        -- The sentence about measurements that it was chosen under; null for the position.
        sentence INTEGER,
        PRIMARY KEY (enrolment_id, kind, chosen_at)
    ) STRICT, WITHOUT ROWID;

    -- Ticks of before their moment was kept have none here; their state stands with the enrolment.
    INSERT INTO enrolment_choices (enrolment_id, kind, chosen_at, is_given, sentence)
    SELECT enrolments.id, kinds.kind, measurements_at, 1, measurements_sentence
    FROM enrolments JOIN (SELECT 'steps' AS kind UNION ALL SELECT 'heart_rate' UNION ALL SELECT 'resting_heart_rate'
        UNION ALL SELECT 'hrv_rmssd' UNION ALL SELECT 'hrv_sdnn' UNION ALL SELECT 'oxygen_saturation'
        UNION ALL SELECT 'distance' UNION ALL SELECT 'active_energy' UNION ALL SELECT 'sleep'
        UNION ALL SELECT 'activities') AS kinds
    ON ' ' || measurements || ' ' LIKE '% ' || kinds.kind || ' %'
    WHERE measurements_at IS NOT NULL;
    INSERT INTO enrolment_choices (enrolment_id, kind, chosen_at, is_given)
    SELECT id, 'location', location_at, CASE WHEN location = 'allowed' THEN 1 ELSE 0 END
    FROM enrolments WHERE location IS NOT NULL AND location_at IS NOT NULL;
    """)
