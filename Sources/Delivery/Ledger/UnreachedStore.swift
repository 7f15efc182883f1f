import Database
import Records
import Therapies
import Wire

/// Devices that dailies do not reach (PR-10): a fault of the device, not of its owner.
package enum UnreachedStore {
    /// The number in a row from which on it counts; two days of them.
    private static let least = 6
    private static let days: Int64 = 14

    /// A therapist's therapies whose last six or more dailies were fetched by no device, with since when. A device
    /// that sends anything is reached.
    package static func all(
        ofTherapist therapist: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [(therapy: ID<Therapy>, since: Instant, count: Int)] {
        let from = now.adding(days: -days)
        let until = now.adding(seconds: -3600)
        let reached: Instant = .distantPast
        let found = try connection.all(
            """
            SELECT therapies.id, coalesce(last_activity_at, \(reached)),
                coalesce(max(CASE WHEN coalesce(fetched_at, notified_at, opened_at) IS NOT NULL THEN available_from END),
                    \(reached))
            FROM therapies\(hint: .inThisOrder) JOIN assignments\(hint: .index("assignments_dailies"))
                ON assignments.therapy_id = therapies.id
            WHERE therapies.therapist_id = \(therapist) AND ended_at IS NULL AND account_id IS NOT NULL
            AND dailies_off_at IS NULL AND planned_on IS NOT NULL AND withdrawn_at IS NULL
            AND available_from >= \(from) AND available_from < \(until)
            GROUP BY therapies.id, last_activity_at
            """
        ) { row -> (therapy: ID<Therapy>, reached: Instant) in
            (therapy: try row[0], reached: max(try row[1] as Instant, try row[2] as Instant))
        }
        return try found.filter { $0.reached < now.adding(days: -2) }.compactMap { entry in
            let missed: [Instant] = try connection.all(
                """
                SELECT available_from FROM assignments WHERE therapy_id = \(entry.therapy) AND planned_on IS NOT NULL
                AND withdrawn_at IS NULL AND available_from > \(max(entry.reached, from)) AND available_from < \(until)
                ORDER BY available_from
                """
            ) { row in try row[0] }
            guard missed.count >= least, let first = missed.first else { return nil }
            return (therapy: entry.therapy, since: first, count: missed.count)
        }
    }
}
