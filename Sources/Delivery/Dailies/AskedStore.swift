import Database
import Records
import Scheduling
import Therapies
import Wire

/// How much of what a patient was asked in the last days was answered.
package enum AskedStore {
    /// Dailies that arrived, and questionnaires that have closed or were answered; and the answered ones of them.
    package struct Count: Sendable, Equatable {
        package var answered = 0
        package var asked = 0

        package init() {}

        init(answered: Int, asked: Int) {
            self.answered = answered
            self.asked = asked
        }
    }

    /// The dailies of all of a therapist's patients, by day. A period counts once, for any number of sheets, as in
    /// `DailyStore.slots`.
    package static func dailies(
        ofTherapist therapist: ID<Account>, from first: LocalDate, until: Instant, zone: Zone,
        _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: [LocalDate: Count]] {
        let from = zone.instant(first, hour: 0, minute: 0)
        let rows = try connection.all(
            """
            SELECT therapy, planned_on, count(DISTINCT CASE WHEN delivered = 1 THEN period END),
                count(DISTINCT CASE WHEN answered = 1 THEN period END)
            FROM (
                SELECT assignments.therapy_id AS therapy, planned_on, period, 0 AS answered,
                    CASE WHEN withdrawn_at IS NULL AND coalesce(fetched_at, notified_at, opened_at) IS NOT NULL
                        THEN 1 ELSE 0 END AS delivered
                FROM therapies\(hint: .inThisOrder) JOIN assignments\(hint: .index("assignments_dailies"))
                    ON assignments.therapy_id = therapies.id
                WHERE therapies.therapist_id = \(therapist) AND planned_on IS NOT NULL
                AND available_from >= \(from) AND available_from < \(until)
                UNION ALL
                SELECT contributions.therapy_id, planned_on, period, 1, 1
                FROM therapies\(hint: .inThisOrder) JOIN contributions\(hint: .index("contributions_dailies"))
                    ON contributions.therapy_id = therapies.id
                WHERE therapies.therapist_id = \(therapist) AND planned_on IS NOT NULL
                AND completed_at >= \(from) AND completed_at < \(until)
            ) AS slots WHERE planned_on >= \(first) GROUP BY therapy, planned_on
            """
        ) { row -> (therapy: ID<Therapy>, day: LocalDate, count: Count) in
            (
                therapy: try row[0], day: try row[1],
                count: Count(answered: try row[3], asked: try row[2])
            )
        }
        return Dictionary(grouping: rows, by: \.therapy).mapValues { days in
            Dictionary(days.map { ($0.day, $0.count) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The questionnaires of all of a therapist's patients that opened in a span of time, and closed or were answered.
    package static func questionnaires(
        ofTherapist therapist: ID<Account>, from: Instant, until: Instant, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: Count] {
        let rows = try connection.all(
            """
            SELECT therapies.id, count(*), count(contributions.id)
            FROM therapies\(hint: .inThisOrder) JOIN assignments\(hint: .index("assignments_given"))
                ON assignments.therapy_id = therapies.id
            LEFT JOIN contributions ON contributions.assignment_id = assignments.id
            WHERE therapies.therapist_id = \(therapist) AND assignments.planned_on IS NULL
            AND available_from >= \(from) AND available_from < \(until) AND withdrawn_at IS NULL
            AND (due_at <= \(until) OR contributions.id IS NOT NULL)
            GROUP BY therapies.id
            """
        ) { row -> (ID<Therapy>, Count) in
            (try row[0], Count(answered: try row[2], asked: try row[1]))
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}
