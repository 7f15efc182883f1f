import Contributions
import Database
import Records
import Web
import Wire

/// Every statement about what participants note with buttons.
package enum StudyEventStore {
    /// Every column, with the sheet that names the event.
    private static let columns: SQL = """
        study_events.*, (SELECT contributions.id FROM contributions WHERE contributions.account_id = study_events.account_id
            AND contributions.event_id = study_events.id) AS sheet
        """

    package static func find(
        _ id: ID<StudyEvent>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> StudyEventRecord? {
        try connection.first(
            "SELECT \(sql: columns) FROM study_events WHERE account_id = \(account) AND id = \(id)")
    }

    /// All of one participant, the earliest first.
    package static func all(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [StudyEventRecord] {
        try connection.all(
            "SELECT \(sql: columns) FROM study_events WHERE enrolment_id = \(enrolment) ORDER BY started_at, id"
        )
    }

    /// Of one participant so many, the latest first.
    package static func newest(
        of enrolment: ID<Enrolment>, limit: Int, _ connection: borrowing Connection
    ) throws -> [StudyEventRecord] {
        try connection.all(
            """
            SELECT \(sql: columns) FROM study_events WHERE enrolment_id = \(enrolment)
            ORDER BY started_at DESC, id LIMIT \(limit)
            """)
    }

    /// How many events of each questionnaire a participant has noted, and how many of them a sheet names.
    package static func counts(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [ID<StudyItem>: (noted: Int, answered: Int)] {
        let found = try connection.all(
            """
            SELECT study_events.item_id, count(*), count(contributions.id) FROM study_events
            LEFT JOIN contributions ON contributions.account_id = study_events.account_id
                AND contributions.event_id = study_events.id
            WHERE study_events.enrolment_id = \(enrolment) GROUP BY study_events.item_id
            """
        ) { row -> (item: ID<StudyItem>, noted: Int, answered: Int) in
            (item: try row[0], noted: try row[1], answered: try row[2])
        }
        return Dictionary(uniqueKeysWithValues: found.map { ($0.item, ($0.noted, $0.answered)) })
    }

    /// Of an account in a study, present or left.
    package static func ids(
        of account: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<StudyEvent>] {
        try connection.all(
            """
            SELECT study_events.id FROM enrolments JOIN study_events ON enrolment_id = enrolments.id
            WHERE enrolments.account_id = \(account) AND study_id = \(study)
            """
        ) { row in try row[0] }
    }

    /// Of an account's present studies those that began since a moment, and those without an end, the latest first.
    package static func recent(
        of account: ID<Account>, since first: Instant, _ connection: borrowing Connection
    ) throws -> [StudyEventRecord] {
        try connection.all(
            """
            SELECT \(sql: columns) FROM enrolments JOIN study_events ON enrolment_id = enrolments.id
            JOIN study_questionnaires ON study_questionnaires.id = item_id
            WHERE enrolments.account_id = \(account) AND state = 'enrolled'
            AND (started_at >= \(first) OR (event = 'span' AND ended_at IS NULL))
            ORDER BY started_at DESC, study_events.id
            """)
    }

    /// The study whose questionnaire has a button; nil for an unknown one.
    package static func study(
        of item: ID<StudyItem>, _ connection: borrowing Connection
    ) throws -> ID<Study>? {
        try connection.value("SELECT study_id FROM study_questionnaires WHERE id = \(item)")
    }

    /// Whether so many events of a questionnaire have come in since a moment: stops counting there.
    package static func hasReceived(
        _ count: Int, of enrolment: ID<Enrolment>, item: ID<StudyItem>, since: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM study_events WHERE item_id = \(item) AND enrolment_id = \(enrolment)
            AND received_at > \(since) LIMIT 1 OFFSET \(count - 1)
            """)
    }

    /// - Parameter zone: the account's, where the device tells none.
    package static func insert(
        _ event: NewStudyEvent, of enrolment: EnrolmentRecord, zone: String, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO study_events (account_id, id, enrolment_id, item_id, started_at, ended_at, received_at, timezone, zone_word)
            VALUES (\(enrolment.accountID), \(event.id), \(enrolment.id), \(event.item), \(event.startedAt), \(event.endedAt), \(now),
                \(event.zone?.name ?? zone), \(event.zone?.word))
            """)
    }

    /// Its other times. An end that is known stays where none is told, and the zone once a sheet names it.
    package static func update(
        _ event: NewStudyEvent, isAnswered: Bool, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE study_events SET started_at = \(event.startedAt), ended_at = coalesce(\(event.endedAt), ended_at)
            WHERE account_id = \(account) AND id = \(event.id)
            """)
        guard let zone = event.zone, !isAnswered else { return }
        try connection.run(
            """
            UPDATE study_events SET timezone = \(zone.name), zone_word = \(zone.word)
            WHERE account_id = \(account) AND id = \(event.id)
            """)
    }

    package static func remove(
        _ id: ID<StudyEvent>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM study_events WHERE account_id = \(account) AND id = \(id)")
    }
}
