import Database
import Records
import Therapies
import Wire

/// Statements about therapies of consenting participants of studies (IO-20), to which alone protocols apply.
package enum ParticipationStore {
    /// A study that an account takes part in now.
    package struct Participation: Sendable {
        package let study: ID<Study>
        package let since: Instant
        /// Nil without groups.
        package let arm: StudyArm.Key?
    }

    /// The running studies that an account takes part in, with its consent. One that it is not allocated in yet acts on no therapy (ST-5).
    package static func studies(
        of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [Participation] {
        try connection.all(
            """
            SELECT enrolments.study_id, coalesce(enrolments.allocated_at, enrolled_at), \(sql: GroupStore.key) FROM enrolments
            JOIN studies ON studies.id = enrolments.study_id
            WHERE account_id = \(account) AND state = 'enrolled' AND \(sql: EnrolmentStore.told)
            AND allocation_state IS DISTINCT FROM 'waiting'
            AND archived_at IS NULL AND (ends_at IS NULL OR ends_at > \(now)) ORDER BY enrolled_at, enrolments.id
            """
        ) { row in Participation(study: try row[0], since: try row[1], arm: try row[2]) }
    }

    /// The running therapies of consenting participants.
    /// - Parameter arms: of these alone; empty for all.
    package static func therapies(
        in study: ID<Study>, of arms: [StudyArm.Key] = [], _ connection: borrowing Connection
    ) throws -> [ID<Therapy>] {
        let all = try connection.all(
            """
            SELECT therapies.id, coalesce(arm_key, enrolments.arm) FROM enrolments JOIN therapies ON therapies.account_id = enrolments.account_id
            AND therapies.ended_at IS NULL
            WHERE study_id = \(study) AND state = 'enrolled' AND allocation_state IS DISTINCT FROM 'waiting'
            AND \(sql: EnrolmentStore.told) ORDER BY therapies.id
            """
        ) { row in (id: try row[0] as ID<Therapy>, arm: try row[1] as StudyArm.Key?) }
        return all.filter { arms.isEmpty || $0.arm.map(arms.contains) ?? false }.map(\.id)
    }

    /// Of `enrolments`, those of accounts whose latest word on research is yes: their therapies may be told of.
    package static let agreesToResearch: SQL = """
        (SELECT research_consent FROM consent_choices WHERE consent_choices.account_id = enrolments.account_id
            ORDER BY consent_choices.id DESC LIMIT 1) = 1
        """

    /// The participations of a study during which there was a therapy that may be told of.
    package static func withTherapy(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> Set<ID<Enrolment>> {
        let ids: [ID<Enrolment>] = try connection.all(
            """
            SELECT enrolments.id FROM enrolments WHERE enrolments.study_id = \(study) AND \(sql: agreesToResearch)
            AND EXISTS (SELECT 1 FROM therapies WHERE therapies.account_id = enrolments.account_id
                AND paired_at IS NOT NULL AND (left_at IS NULL OR paired_at <= left_at)
                AND (ended_at IS NULL OR ended_at >= enrolled_at))
            """
        ) { row in try row[0] }
        return Set(ids)
    }

    /// Whether an account leads a study that is not archived.
    package static func leads(_ account: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try StudyStore.all(ofLead: account, connection).contains { $0.archivedAt == nil }
    }
}

/// The groups of a study, which limit what a protocol may do.
package enum StudyArms {
    /// What therapies do in them; nil for a study without groups.
    /// - Parameter keys: of these alone; empty for all.
    package static func of(
        _ study: ID<Study>, only keys: [StudyArm.Key] = [], _ connection: borrowing Connection
    ) throws -> [Therapy.Arm]? {
        try all(in: study, connection)?.filter { keys.isEmpty || keys.contains($0.key) }.map {
            // A waiting list has interventions one day.
            $0.crossesAfter == nil ? $0.treatment : .full
        }
    }

    /// Nil for a study without groups.
    package static func all(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [StudyArm]? {
        try GroupStore.find(study, connection)?.groups.arms
    }
}
