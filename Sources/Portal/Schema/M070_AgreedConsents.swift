import Database

/// Every consent stays, with time and way; sheets carry the version they were given under (FD-22).
let m070AgreedConsents = Migration(
    "M070_AgreedConsents", .contract,
    """
    CREATE TABLE enrolment_consents (
        enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
        version INTEGER NOT NULL CHECK (version >= 1),
        agreed_at INTEGER NOT NULL,
        -- Null: agreed to before the way was kept.
        way TEXT CHECK (way IN ('browser', 'app', 'paper')),
        PRIMARY KEY (enrolment_id, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER enrolment_consents_no_edit BEFORE UPDATE ON enrolment_consents
    BEGIN SELECT RAISE(ABORT, 'what was agreed to never changes'); END;

    -- Null: of a therapy, or of before this was kept where it cannot be told any more.
    ALTER TABLE contributions ADD COLUMN consent_version INTEGER;

    -- Enrolments of before know the newest version that was agreed to. The first one is the one that the study had when somebody
    -- asked to take part.
    INSERT INTO enrolment_consents (enrolment_id, version, agreed_at)
    SELECT id, first_version, asked_at FROM (
        SELECT id, asked_at, consent_version, (SELECT max(version) FROM study_consents
            WHERE study_consents.study_id = enrolments.study_id AND written_at <= asked_at) AS first_version
        FROM enrolments WHERE signed_on IS NULL) AS earlier
    WHERE first_version < consent_version;
    INSERT INTO enrolment_consents (enrolment_id, version, agreed_at, way)
    SELECT id, consent_version, consented_at, CASE WHEN signed_on IS NOT NULL THEN 'paper' END FROM enrolments;

    -- Sheets from before the newest version are the first one's, unless there was another in between: when that was agreed to
    -- nothing tells.
    UPDATE contributions SET consent_version = (
        SELECT CASE WHEN contributions.completed_at / 1000 >= consented_at / 1000 THEN enrolments.consent_version
            ELSE (SELECT earliest.version FROM enrolment_consents AS earliest
                WHERE earliest.enrolment_id = enrolments.id AND earliest.version =
                    (SELECT min(version) FROM enrolment_consents WHERE enrolment_id = enrolments.id)
                AND NOT EXISTS (SELECT 1 FROM study_consents AS later WHERE later.study_id = enrolments.study_id
                    AND later.version > earliest.version AND later.version < enrolments.consent_version
                    AND later.written_at <= contributions.completed_at)) END
        FROM enrolments WHERE enrolments.id = contributions.enrolment_id)
    WHERE enrolment_id IS NOT NULL;
    """)
