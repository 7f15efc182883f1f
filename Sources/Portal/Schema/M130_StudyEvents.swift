import Database

/// Participants note with a button what happens, and answer about it (ST-2). A program before it would ask such a questionnaire
/// as any other, drop what a sheet says of its event, and leave events behind where a participant leaves with everything.
let m130StudyEvents = Migration(
    "M130_StudyEvents", .contract,
    """
    ALTER TABLE study_questionnaires ADD COLUMN event TEXT CHECK (event IN ('moment', 'span'));

    -- Ids come from devices, and are unique for each account alone.
    CREATE TABLE study_events (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
        item_id TEXT NOT NULL REFERENCES study_questionnaires (id) ON DELETE CASCADE,
        started_at INTEGER NOT NULL,
        -- NULL for a moment, and for a span that goes on.
        ended_at INTEGER CHECK (ended_at >= started_at),
        received_at INTEGER NOT NULL,
        timezone TEXT NOT NULL,
        zone_word TEXT,
        PRIMARY KEY (account_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_events_enrolment ON study_events (enrolment_id, started_at);
    CREATE INDEX study_events_item ON study_events (item_id, enrolment_id, received_at);

    ALTER TABLE contributions ADD COLUMN event_id TEXT;
    CREATE UNIQUE INDEX contributions_event ON contributions (account_id, event_id) WHERE event_id IS NOT NULL;
    """)
