import Database

/// The phone's own database, step by step. Times are milliseconds since 1970, bodies JSON as the portal writes it.
enum LocalSchema {
    static let all = [Migration("001-begin", .contract, begin), Migration("002-once", .contract, once)]

    private static let once = """
        -- Made here and sent as they are: sessions of listening, runs of matching, days of measurements. Gone once the portal has them; kept with the
        -- reason when it refused them for good.
        CREATE TABLE records (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, refused_with INTEGER, refusal TEXT) STRICT;

        -- Sounds whose files lie on the device. hash: SHA-256 of the file, which is its name; two sounds may share one.
        CREATE TABLE kept_sounds (
            sound_id TEXT PRIMARY KEY, hash TEXT NOT NULL, bytes INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
        """

    private static let begin = """
        CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

        -- The tag of each part of each list as it was read last, and where the next part is.
        CREATE TABLE parts (path TEXT PRIMARY KEY, etag TEXT NOT NULL, next TEXT) STRICT;

        CREATE TABLE questionnaires (
            id TEXT PRIMARY KEY, language TEXT NOT NULL, body TEXT NOT NULL) STRICT;

        -- in_list and in_plan: whether the portal's list of assignments and its plan of dailies name it. What neither
        -- names is deleted there. A daily that the phone planned itself (is_own) is in neither; it keeps the zone it was
        -- planned in, because the portal reckons its period in it.
        CREATE TABLE assignments (
            id TEXT PRIMARY KEY, questionnaire_id TEXT, source TEXT NOT NULL, title TEXT NOT NULL,
            available_from INTEGER NOT NULL, due_at INTEGER NOT NULL,
            in_list INTEGER NOT NULL, in_plan INTEGER NOT NULL, is_own INTEGER NOT NULL, zone TEXT,
            answered_elsewhere INTEGER NOT NULL DEFAULT 0, opened_at INTEGER) STRICT;
        CREATE INDEX assignments_by_due ON assignments (due_at);

        -- base: the answers as the portal had them with this tag, and how many; what differs from them was changed here.
        CREATE TABLE drafts (
            subject_id TEXT PRIMARY KEY, answers TEXT NOT NULL, etag TEXT,
            base TEXT NOT NULL DEFAULT '{}', base_count INTEGER NOT NULL DEFAULT 0) STRICT;

        -- Filled in here, and not yet acknowledged; or refused for good, and kept with the reason.
        CREATE TABLE sheets (
            id TEXT PRIMARY KEY, assignment_id TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
            refused_with INTEGER, refusal TEXT) STRICT;

        CREATE TABLE contributions (
            id TEXT PRIMARY KEY, assignment_id TEXT, completed_at INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
        CREATE INDEX contributions_by_assignment ON contributions (assignment_id);

        -- known_…: what the portal has of it. answer and is_done never leave the phone but in the sealed vault.
        CREATE TABLE interventions (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, assigned_at INTEGER NOT NULL,
            opened_at INTEGER, completed_at INTEGER, known_opened_at INTEGER, known_completed_at INTEGER,
            is_gone INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE TABLE notes (
            intervention_id TEXT PRIMARY KEY, answer TEXT, is_done INTEGER, changed_at INTEGER NOT NULL) STRICT;

        -- body: as it is here, NULL when it was deleted here. etag: of the state of the portal that was seen.
        -- sent: all that was sent since the last answer, as a list, to know it again when answers were lost. theirs: the
        -- portal's state in a conflict.
        CREATE TABLE appointments (
            id TEXT PRIMARY KEY, body TEXT, etag TEXT, sent TEXT,
            in_conflict INTEGER NOT NULL DEFAULT 0, theirs TEXT, theirs_etag TEXT,
            refused_with INTEGER, refusal TEXT) STRICT;

        -- What is to be sent, one line a thing. revision counts its changes, so that what was changed while it was on
        -- its way is sent again.
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject_id TEXT NOT NULL,
            revision INTEGER NOT NULL DEFAULT 1, tries INTEGER NOT NULL DEFAULT 0,
            not_before INTEGER NOT NULL DEFAULT 0, UNIQUE (kind, subject_id)) STRICT;
        """
}
