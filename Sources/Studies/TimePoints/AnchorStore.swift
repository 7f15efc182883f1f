import Database
import Records
import Wire

/// A date that a lead has entered for a participant, or that their therapy has, from a moment on; nil takes one back.
package struct AnchorDate: Sendable, Equatable {
    package let since: Instant
    package let date: LocalDate?
}

/// Every statement about the dates from which time points of single participants are counted.
package enum AnchorStore {
    /// Of one participant, by time point, the earliest first.
    package static func all(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [String: [AnchorDate]] {
        let rows = try connection.all(
            "SELECT time_point, since, date FROM study_anchors WHERE enrolment_id = \(enrolment) ORDER BY since"
        ) { row in (key: try row[0] as String, date: AnchorDate(since: try row[1], date: try row[2])) }
        return Dictionary(grouping: rows, by: \.key).mapValues { $0.map(\.date) }
    }

    /// Of all participants of a study.
    package static func all(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [String: [AnchorDate]]] {
        let rows = try connection.all(
            """
            SELECT enrolment_id, time_point, since, date FROM enrolments
            JOIN study_anchors ON enrolment_id = enrolments.id WHERE study_id = \(study) ORDER BY since
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
            "SELECT count(*) FROM study_anchors WHERE enrolment_id = \(enrolment) AND time_point = \(key)")
    }

    /// Counts from now on; of two in one moment the later.
    package static func set(
        _ date: LocalDate?, for key: String, of enrolment: ID<Enrolment>, since now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO study_anchors (enrolment_id, time_point, since, date)
            VALUES (\(enrolment), \(key), \(now), \(date))
            ON CONFLICT (enrolment_id, time_point, since) DO UPDATE SET date = excluded.date
            """)
    }
}
