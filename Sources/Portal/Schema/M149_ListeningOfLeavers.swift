import Database

/// Takes back what `M139_ListeningAsked` gave for participants who had left before they said yes to research (ST-6).
let m149ListeningOfLeavers = Migration(
    "M149_ListeningOfLeavers", .expand,
    """
    -- Both kinds were given under sentence 3 by the newest choice on research; what counts is the one in force on leaving.
    DELETE FROM enrolment_choices
    WHERE sentence = 3 AND kind IN ('listening', 'tinnitus') AND enrolment_id IN (
        SELECT enrolments.id FROM enrolments
        WHERE left_at IS NOT NULL AND left_after IS NOT NULL AND coalesce((
            SELECT earlier.research_consent FROM consent_choices AS earlier
            WHERE earlier.account_id = enrolments.account_id AND earlier.id <= left_after
            ORDER BY earlier.id DESC LIMIT 1), 0) <> 1);

    -- They come last among the measurements.
    UPDATE enrolments SET
        measurements_at = CASE WHEN measurements = 'listening tinnitus' THEN NULL ELSE measurements_at END,
        measurements_sentence = CASE WHEN measurements = 'listening tinnitus' THEN 1 ELSE measurements_sentence END,
        measurements = trim(replace(measurements, 'listening tinnitus', ''))
    WHERE measurements LIKE '%listening tinnitus' AND left_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM enrolment_choices WHERE enrolment_id = enrolments.id AND kind = 'listening');
    """)
