import Database
import Records
import Scheduling
import Therapies
import Wire

/// Every statement about waiting lists that cross over.
enum CrossOverStore {
    struct Waiting: Sendable {
        let enrolment: ID<Enrolment>
        let account: ID<Account>
        let study: ID<Study>
        let arm: StudyArm.Key
        let zone: Zone
        /// At first, however often the participant came back.
        let allocatedAt: Instant
        /// Until there are interventions.
        let days: Int
    }

    /// Participants of arms that cross over who have not yet, in studies that are not over.
    static func waiting(at now: Instant, _ connection: borrowing Connection) throws -> [Waiting] {
        let designs = try connection.all(
            """
            SELECT study_id, arms, arm_list FROM study_designs JOIN studies ON studies.id = study_id
            WHERE arm_list IS NOT NULL AND archived_at IS NULL AND (ends_at IS NULL OR ends_at > \(now)) ORDER BY study_id
            """
        ) { row in
            (study: try row[0] as ID<Study>, arms: try [StudyArm].stored(try row[1], column: try row[2]))
        }
        return try designs.flatMap { design in
            try design.arms.flatMap { arm -> [Waiting] in
                guard let days = arm.crossesAfter else { return [] }
                return try of(arm.key, in: design.study, after: days, connection)
            }
        }
    }

    private static func of(
        _ arm: StudyArm.Key, in study: ID<Study>, after days: Int, _ connection: borrowing Connection
    ) throws -> [Waiting] {
        try connection.all(
            """
            SELECT id, account_id, timezone, (SELECT min(coalesce(first.allocated_at, first.enrolled_at)) FROM enrolments AS first
                WHERE first.study_id = \(study) AND first.account_id = enrolments.account_id AND first.arm IS NOT NULL)
            FROM enrolments WHERE study_id = \(study) AND state = 'enrolled' AND arm = \(Therapy.Arm.noInterventions)
            AND coalesce(arm_key, arm) = \(arm) AND crossed_at IS NULL ORDER BY id
            """
        ) { row in
            Waiting(
                enrolment: try row[0], account: try row[1], study: study, arm: arm, zone: Zone(try row[2]),
                allocatedAt: try row[3], days: days)
        }
    }

    static func isWaiting(_ id: ID<Enrolment>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM enrolments WHERE id = \(id) AND state = 'enrolled' AND crossed_at IS NULL AND arm IS NOT NULL"
        )
    }

    /// The arm keeps its name, which is written out from now on.
    static func cross(
        _ id: ID<Enrolment>, to treatment: Therapy.Arm, in arm: StudyArm.Key, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE enrolments SET arm = \(treatment), arm_key = \(arm), crossed_at = \(now) WHERE id = \(id)
            """)
        let therapy: ID<Therapy>?? = try connection.value(
            "SELECT therapy_id FROM enrolments WHERE id = \(id)")
        if let therapy = therapy ?? nil { try TherapyStore.setArm(treatment, of: therapy, connection) }
    }
}
