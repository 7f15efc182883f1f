import Database

/// The values of a daily, beside its sheet: figures over years read thousands of them.
let m016DailyPoints = Migration(
    "M016_DailyPoints", .contract,
    """
    -- The two scores of a daily once more, so that an index alone answers: 19 ms became 3 for 6,000 dailies.
    ALTER TABLE contributions ADD COLUMN thought REAL;
    ALTER TABLE contributions ADD COLUMN feeling REAL;
    UPDATE contributions SET
        thought = (SELECT value FROM contribution_scores AS score WHERE score.account_id = contributions.account_id
            AND score.contribution_id = contributions.id AND score.scale = 'thought'),
        feeling = (SELECT value FROM contribution_scores AS score WHERE score.account_id = contributions.account_id
            AND score.contribution_id = contributions.id AND score.scale = 'feeling')
    WHERE planned_on IS NOT NULL;
    DROP INDEX contribution_scores_scale;
    CREATE INDEX contributions_dailies
        ON contributions (therapy_id, completed_at, planned_on, period, daily_from, extra, thought, feeling)
        WHERE planned_on IS NOT NULL;
    -- What came in lately, but for dailies.
    CREATE INDEX contributions_received ON contributions (therapy_id, received_at) WHERE planned_on IS NULL;
    -- The plan of the dailies, and everything but it.
    CREATE INDEX assignments_dailies
        ON assignments (therapy_id, available_from, planned_on, period, withdrawn_at, fetched_at, notified_at, opened_at)
        WHERE planned_on IS NOT NULL;
    CREATE INDEX assignments_given ON assignments (therapy_id, available_from) WHERE planned_on IS NULL;
    """)
