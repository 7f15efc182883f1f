import Database
import Records
import Therapies
import Wire

/// A date that a lead has entered for a participant, or that their therapy has, from a moment on; nil takes one back.
package struct AnchorDate: Sendable, Equatable {
    package let since: Instant
    package let date: LocalDate?
}

/// The dates that one session of a therapy has had, the earliest first; nil once it does not take place.
package struct SessionDates: Sendable, Equatable {
    package let session: ID<Session>
    package let dates: [AnchorDate]
}

/// Every statement about the dates from which time points of single participants are counted. Those of sessions have the session's id.
package enum AnchorStore {
    /// Of one participant, by time point, the earliest first; without those of sessions.
    package static func all(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [String: [AnchorDate]] {
        let rows = try connection.all(
            """
            SELECT time_point, since, date FROM study_anchors
            WHERE enrolment_id = \(enrolment) AND session_id = '' ORDER BY since
            """
        ) { row in (key: try row[0] as String, date: AnchorDate(since: try row[1], date: try row[2])) }
        return Dictionary(grouping: rows, by: \.key).mapValues { $0.map(\.date) }
    }

    /// Those of sessions, by time point.
    package static func sessions(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [String: [SessionDates]] {
        try bySession(
            connection.all(
                """
                SELECT time_point, session_id, since, date FROM study_anchors
                WHERE enrolment_id = \(enrolment) AND session_id <> '' ORDER BY since
                """
            ) { row in try SessionRow(row: row, at: 0) })
    }

    /// Those of sessions, of all participants of a study.
    package static func sessions(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [String: [SessionDates]]] {
        let rows = try connection.all(
            """
            SELECT enrolment_id, time_point, session_id, since, date FROM enrolments
            JOIN study_anchors ON enrolment_id = enrolments.id
            WHERE study_id = \(study) AND session_id <> '' ORDER BY since
            """
        ) { row in (id: try row[0] as ID<Enrolment>, date: try SessionRow(row: row, at: 1)) }
        return Dictionary(grouping: rows, by: \.id).mapValues { bySession($0.map(\.date)) }
    }

    /// Both of one participant, by one statement.
    package static func every(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> (own: [String: [AnchorDate]], sessions: [String: [SessionDates]]) {
        let rows = try connection.all(
            """
            SELECT time_point, session_id, since, date FROM study_anchors
            WHERE enrolment_id = \(enrolment) ORDER BY since
            """
        ) { row in (isOwn: (try row[1] as String).isEmpty, row: try SessionRow(row: row, at: 0)) }
        let own = Dictionary(grouping: rows.filter(\.isOwn).map(\.row), by: \.key)
        return (
            own.mapValues { $0.map(\.date) }, bySession(rows.filter { !$0.isOwn }.map(\.row))
        )
    }

    private struct SessionRow {
        let key: String
        let session: ID<Session>
        let date: AnchorDate

        init(row: borrowing Row, at place: Int) throws {
            key = try row[place]
            session = try row[place + 1]
            date = AnchorDate(since: try row[place + 2], date: try row[place + 3])
        }
    }

    private static func bySession(_ rows: [SessionRow]) -> [String: [SessionDates]] {
        Dictionary(grouping: rows, by: \.key).mapValues { own in
            Dictionary(grouping: own, by: \.session).map {
                SessionDates(session: $0.key, dates: $0.value.map(\.date))
            }.sorted { $0.session < $1.session }
        }
    }

    /// Of all participants of a study; without those of sessions.
    package static func all(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [String: [AnchorDate]]] {
        let rows = try connection.all(
            """
            SELECT enrolment_id, time_point, since, date FROM enrolments
            JOIN study_anchors ON enrolment_id = enrolments.id
            WHERE study_id = \(study) AND session_id = '' ORDER BY since
            """
        ) { row in
            (
                id: try row[0] as ID<Enrolment>, key: try row[1] as String,
                date: AnchorDate(since: try row[2], date: try row[3])
            )
        }
        return Dictionary(grouping: rows, by: \.id).mapValues { own in
            Dictionary(grouping: own, by: \.key).mapValues { $0.map(\.date) }
        }
    }

    /// How often a participant's date was entered.
    package static func revision(
        of key: String, as enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM study_anchors
            WHERE enrolment_id = \(enrolment) AND time_point = \(key) AND session_id = ''
            """)
    }

    /// Counts from now on; of two in one moment the later.
    /// - Parameter session: the one that has this date; nil for a date of the participant.
    package static func set(
        _ date: LocalDate?, for key: String, session: ID<Session>? = nil, of enrolment: ID<Enrolment>,
        since now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO study_anchors (enrolment_id, time_point, session_id, since, date)
            VALUES (\(enrolment), \(key), \(session?.text ?? ""), \(now), \(date))
            ON CONFLICT (enrolment_id, time_point, session_id, since) DO UPDATE SET date = excluded.date
            """)
    }
}
