import Database
import Records
import Wire
import Wording

/// Every statement about studies and their consent texts.
package enum StudyStore {
    private static let columns: SQL = """
        SELECT studies.*, study_consents.text_de AS consent_de, study_consents.text_en AS consent_en,
            study_consents.text_other AS consent_other, study_consents.version AS consent_version,
            study_consents.session_dates AS session_dates, study_consents.every_session AS every_session,
            (SELECT version FROM study_pictures WHERE study_pictures.study_id = studies.id) AS picture_version
        FROM studies JOIN study_consents ON study_consents.study_id = studies.id AND study_consents.version =
            (SELECT max(version) FROM study_consents AS newest WHERE newest.study_id = studies.id)
        """

    /// A lead's own studies, the newest first.
    package static func all(ofLead lead: ID<Account>, _ connection: borrowing Connection) throws
        -> [StudyRecord]
    {
        try connection.all(
            """
            \(sql: columns) JOIN study_leads ON study_leads.study_id = studies.id
            WHERE study_leads.account_id = \(lead) ORDER BY studies.created_at DESC, studies.id
            """)
    }

    /// The studies anyone may find: all running ones that their leads do not hide.
    package static func listed(at now: Instant, _ connection: borrowing Connection) throws -> [StudyRecord] {
        try connection.all(
            """
            \(sql: columns) WHERE is_running = 1 AND is_hidden = 0 AND archived_at IS NULL
            AND (starts_at IS NULL OR starts_at <= \(now)) AND (ends_at IS NULL OR ends_at > \(now))
            ORDER BY studies.created_at DESC, studies.id
            """)
    }

    /// The studies an account takes part in, has asked to, or was declined by, until it asks again or takes note of it.
    package static func all(
        ofParticipant account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [StudyRecord] {
        try connection.all(
            """
            \(sql: columns) WHERE studies.id IN (SELECT study_id FROM enrolments WHERE account_id = \(account)
                AND state IN ('pending', 'enrolled', 'declined'))
            ORDER BY studies.created_at DESC, studies.id
            """)
    }

    /// What the studies are called in which an account takes part.
    package static func titles(
        ofParticipant account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Study>: (title: LocalizedText, name: String)] {
        let rows = try connection.all(
            """
            SELECT studies.id, title_de, title_en, title_other, name FROM enrolments JOIN studies ON studies.id = study_id
            WHERE account_id = \(account) AND state = 'enrolled'
            """
        ) { row in
            (
                id: try row[0] as ID<Study>, title: try LocalizedText(row: row, "title"),
                name: try row[4] as String
            )
        }
        return Dictionary(rows.map { ($0.id, (title: $0.title, name: $0.name)) }) { $1 }
    }

    package static func find(_ id: ID<Study>, _ connection: borrowing Connection) throws -> StudyRecord? {
        try connection.first("\(sql: columns) WHERE studies.id = \(id)")
    }

    package static func find(code: String, _ connection: borrowing Connection) throws -> StudyRecord? {
        try connection.first("\(sql: columns) WHERE studies.code = \(code)")
    }

    package static func find(name: String, _ connection: borrowing Connection) throws -> StudyRecord? {
        try connection.first("\(sql: columns) WHERE studies.name = \(name)")
    }

    /// One of a lead's own; nil for another's as for none.
    package static func find(_ id: ID<Study>, ofLead lead: ID<Account>, _ connection: borrowing Connection)
        throws
        -> StudyRecord?
    {
        try connection.first(
            """
            \(sql: columns) WHERE studies.id = \(id)
            AND EXISTS (SELECT 1 FROM study_leads WHERE study_id = studies.id AND account_id = \(lead))
            """)
    }

    package static func insert(
        _ draft: StudyDraft, id: ID<Study>, code: String, passwordHash: String?, lead: ID<Account>,
        at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let hash = draft.access == .password ? passwordHash : nil
        do {
            try connection.run(
                """
                INSERT INTO studies (id, name, title_de, title_en, title_other, description_de, description_en,
                    description_other, text_de, text_en, text_other, access, password_hash, is_private, is_hidden, code, is_running, starts_at, ends_at,
                    created_at, changed_at, measurements, location_reason_de, location_reason_en, location_reason_other,
                    time_points)
                VALUES (\(id), \(draft.name), \(draft.title.columns.german), \(draft.title.columns.english),
                    \(draft.title.columns.others), \(draft.description.columns.german), \(draft.description.columns.english),
                    \(draft.description.columns.others), \(draft.text.columns.german), \(draft.text.columns.english),
                    \(draft.text.columns.others), \(draft.access), \(hash), \(draft.isPrivate), \(draft.isHidden),
                    \(code), \(draft.isStarted), \(draft.startsAt), \(draft.endsAt), \(now), \(now),
                    \(StudyMeasures.column(draft.measurements)), \(draft.locationReason.columns.german),
                    \(draft.locationReason.columns.english), \(draft.locationReason.columns.others),
                    \(try TimePoint.column(draft.timePoints)))
                """)
        } catch let error as DatabaseError where error.violates("studies.name") {
            throw Problem.invalid("name", "studies.name_taken")
        }
        try connection.run("INSERT INTO study_leads (study_id, account_id) VALUES (\(id), \(lead))")
        try run(id, draft.isStarted, at: now, connection)
        _ = try write(draft, in: id, at: now, connection)
        try set(draft.picture, of: id, connection)
    }

    /// Whether a study has this name.
    package static func isTaken(_ name: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM studies WHERE name = \(name)")
    }

    /// How often a study's settings were changed; nil for none.
    package static func revision(of id: ID<Study>, _ connection: borrowing Connection) throws -> Int? {
        try connection.value("SELECT revision FROM studies WHERE id = \(id)")
    }

    /// - Returns: whether its consent text has changed.
    @discardableResult
    package static func update(
        _ draft: StudyDraft, id: ID<Study>, passwordHash: String?, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        let hash = draft.access == .password ? passwordHash : nil
        do {
            try connection.run(
                """
                UPDATE studies SET name = \(draft.name), title_de = \(draft.title.columns.german),
                    title_en = \(draft.title.columns.english), title_other = \(draft.title.columns.others),
                    description_de = \(draft.description.columns.german), description_en = \(draft.description.columns.english),
                    description_other = \(draft.description.columns.others), text_de = \(draft.text.columns.german),
                    text_en = \(draft.text.columns.english), text_other = \(draft.text.columns.others), access = \(draft.access), password_hash = \(hash),
                    is_private = \(draft.isPrivate), is_hidden = \(draft.isHidden), is_running = \(draft.isStarted),
                    starts_at = \(draft.startsAt), ends_at = \(draft.endsAt), changed_at = \(now),
                    measurements = \(StudyMeasures.column(draft.measurements)), revision = revision + 1,
                    location_reason_de = \(draft.locationReason.columns.german),
                    location_reason_en = \(draft.locationReason.columns.english),
                    location_reason_other = \(draft.locationReason.columns.others),
                    time_points = \(try TimePoint.column(draft.timePoints)),
                    archived_at = CASE WHEN \(draft.isArchived) THEN coalesce(archived_at, \(now)) END
                WHERE id = \(id)
                """)
        } catch let error as DatabaseError where error.violates("studies.name") {
            throw Problem.invalid("name", "studies.name_taken")
        }
        try run(id, draft.isStarted, at: now, connection)
        let isConsentNew = try write(draft, in: id, at: now, connection)
        try set(draft.picture, of: id, connection)
        return isConsentNew
    }

    // MARK: Runs

    /// Notes that a study was switched on or off; nothing when that does not change.
    private static func run(
        _ id: ID<Study>, _ isStarted: Bool, at now: Instant, _ connection: borrowing Connection
    ) throws {
        if isStarted {
            try connection.run(
                """
                INSERT INTO study_runs (study_id, since) SELECT \(id), \(now)
                WHERE NOT EXISTS (SELECT 1 FROM study_runs WHERE study_id = \(id) AND until IS NULL)
                ON CONFLICT (study_id, since) DO UPDATE SET until = NULL
                """)
        } else {
            try connection.run(
                "UPDATE study_runs SET until = \(now) WHERE study_id = \(id) AND until IS NULL")
        }
    }

    /// When a study ran, the earliest first; within its begin and end.
    package static func runs(_ study: StudyRecord, _ connection: borrowing Connection) throws -> StudyRuns {
        let rows = try connection.all(
            "SELECT since, until FROM study_runs WHERE study_id = \(study.id) ORDER BY since"
        ) { row in (since: try row[0] as Instant, until: try row[1] as Instant?) }
        let begin = study.startsAt ?? .distantPast
        let end = study.endsAt ?? .distantFuture
        return StudyRuns(
            ranges: rows.compactMap { row in
                let from = max(row.since, begin)
                let to = min(row.until ?? .distantFuture, end)
                return from < to ? from..<to : nil
            })
    }

    /// A new consent text becomes the next version; earlier consents keep their version.
    /// - Returns: whether it is new.
    private static func write(
        _ draft: StudyDraft, in id: ID<Study>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let text = draft.consent
        return try connection.run(
            """
            INSERT INTO study_consents (study_id, version, text_de, text_en, text_other, written_at, session_dates, every_session)
            SELECT \(id), coalesce(max(version), 0) + 1, \(text.columns.german), \(text.columns.english), \(text.columns.others),
                \(now), \(draft.tellsSessionDates), \(draft.tellsEverySession)
            FROM study_consents WHERE study_id = \(id)
            HAVING NOT EXISTS (SELECT 1 FROM study_consents AS newest WHERE newest.study_id = \(id)
                AND newest.version = (SELECT max(version) FROM study_consents WHERE study_id = \(id))
                AND newest.session_dates = \(draft.tellsSessionDates) AND newest.every_session = \(draft.tellsEverySession)
                AND newest.text_de IS NOT DISTINCT FROM \(text.columns.german)
                AND newest.text_en IS NOT DISTINCT FROM \(text.columns.english)
                AND newest.text_other IS NOT DISTINCT FROM \(text.columns.others))
            """) > 0
    }

    /// Removes a study that never had a participant.
    /// - Throws: `Problem.conflict` when it had one: then it is only archived.
    package static func remove(_ id: ID<Study>, _ connection: borrowing Connection) throws {
        let isUsed = try connection.exists("SELECT 1 FROM enrolments WHERE study_id = \(id) LIMIT 1")
        if isUsed { throw Problem.conflict(Message("studies.has_data")) }
        try connection.run("DELETE FROM studies WHERE id = \(id)")
    }
}
