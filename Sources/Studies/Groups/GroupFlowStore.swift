import Database
import Records
import Wire

/// Every statement about the flow of participants group by group.
package enum GroupFlowStore {
    /// The flow of each group, in the order of the arms: every allocated person is in exactly one number of one of them (ST-4). Which
    /// groups the erased were in follows from the places that were taken.
    package static func flows(
        of study: ID<Study>, _ stored: GroupStore.Stored, _ connection: borrowing Connection
    ) throws -> [(arm: StudyArm.Key, flow: StudyFlow)] {
        let rows = try connection.all(
            """
            SELECT arm, standing, count(*) FROM (
                SELECT account_id, min(\(sql: GroupStore.key)) AS arm, \(sql: FlowStore.standing) AS standing
                FROM enrolments WHERE study_id = \(study) AND enrolled_at IS NOT NULL AND arm IS NOT NULL
                GROUP BY account_id) AS people
            GROUP BY arm, standing
            """
        ) { row in (arm: try row[0] as StudyArm.Key, standing: try row[1] as Int, count: try row[2] as Int) }
        let places = try places(of: study, stored, connection)
        return stored.groups.arms.map(\.key).map { arm in
            let own = rows.filter { $0.arm == arm }.reduce(into: [:]) { $0[$1.standing] = $1.count }
            var flow = StudyFlow(own)
            flow.erased = max(0, (places[arm] ?? 0) - flow.total)
            return (arm, flow)
        }
    }

    /// How many places were taken in each arm; they stay when an account is erased.
    private static func places(
        of study: ID<Study>, _ stored: GroupStore.Stored, _ connection: borrowing Connection
    ) throws -> [StudyArm.Key: Int] {
        if stored.groups.allocation == .minimised { return try AllocationStore.counts(in: study, connection) }
        return try connection.all(
            "SELECT site, taken FROM study_sequences WHERE study_id = \(study)"
        ) { row in (site: try row[0] as String, taken: try row[1] as Int) }
        .reduce(into: [:]) { places, sequence in
            let own = stored.groups.arms(in: sequence.taken, of: sequence.site, seed: stored.seed)
            places.merge(own, uniquingKeysWith: +)
        }
    }
}

extension GroupStore {
    /// The number in each arm, by site; of participants whose data may be disclosed.
    package static func counts(
        _ study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [(site: String, arm: StudyArm.Key, count: Int)] {
        try connection.all(
            """
            SELECT coalesce(site, ''), \(sql: key), count(DISTINCT account_id) FROM enrolments
            WHERE study_id = \(study) AND arm IS NOT NULL AND \(sql: EnrolmentStore.told)
            GROUP BY 1, 2 ORDER BY 1, 2
            """
        ) { row in (site: try row[0], arm: try row[1], count: try row[2]) }
    }
}
