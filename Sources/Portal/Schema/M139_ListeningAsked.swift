import Database

/// Listening and matches of a tinnitus are measurements of a study like the others (ST-6): asked for by its leads, given one by one.
/// Until now they were in the files of every study for everybody with consent to research. A program before it would go on so.
let m139ListeningAsked = Migration(
    "M139_ListeningAsked", .contract,
    """
    -- Participants whose consent to research is in force have agreed to both since that consent, under a sentence of its own
    -- (3). Ticks of before keep their sentence.
    INSERT INTO enrolment_choices (enrolment_id, kind, chosen_at, is_given, sentence)
    SELECT enrolments.id, kinds.kind, changed_at, 1, 3
    FROM enrolments JOIN consent_choices ON consent_choices.account_id = enrolments.account_id
        AND consent_choices.id = (SELECT max(newest.id) FROM consent_choices AS newest
            WHERE newest.account_id = enrolments.account_id)
    JOIN (SELECT 'listening' AS kind UNION ALL SELECT 'tinnitus') AS kinds ON 1 = 1
    WHERE research_consent = 1 AND enrolled_at IS NOT NULL AND erased_at IS NULL;

    UPDATE enrolments SET
        measurements_at = CASE WHEN measurements = '' THEN
            (SELECT max(chosen_at) FROM enrolment_choices WHERE enrolment_id = enrolments.id AND kind = 'listening')
            ELSE measurements_at END,
        measurements_sentence = CASE WHEN measurements = '' THEN 3 ELSE measurements_sentence END,
        measurements = CASE WHEN measurements = '' THEN 'listening tinnitus'
            ELSE measurements || ' listening tinnitus' END
    WHERE EXISTS (SELECT 1 FROM enrolment_choices WHERE enrolment_id = enrolments.id AND kind = 'listening');

    -- Studies with participants go on asking for both. A form that was drawn before is stale.
    UPDATE studies SET revision = revision + 1,
        measurements = CASE WHEN measurements = '' THEN 'listening tinnitus'
            ELSE measurements || ' listening tinnitus' END
    WHERE EXISTS (SELECT 1 FROM enrolments WHERE study_id = studies.id AND enrolled_at IS NOT NULL);
    """)
