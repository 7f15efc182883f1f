import Database
import Records
import Therapies
import Wire
import Wording

/// Allocates participants to groups at the moment they enrol: the group cannot be known before, or chosen.
package enum ArmAllocation {
    /// Does nothing in a study without groups.
    /// - Throws: `Problem.conflict` when the sample is complete or allocation closed, or the therapy is in the group
    ///   of another study.
    /// - Parameters:
    ///   - named: the site of a participant without a therapist here.
    ///   - needsPaper: for participants without an account, whom a study with only app groups cannot take.
    package static func allocate(
        _ enrolment: ID<Enrolment>, of account: ID<Account>, in study: ID<Study>, site named: String? = nil,
        needsPaper: Bool = false, at now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let stored = try GroupStore.find(study, connection) else {
            if let named { try GroupStore.set(site: named, of: enrolment, connection) }
            return
        }
        if needsPaper, !stored.groups.arms.contains(where: { $0.treatment == .noApp }) {
            throw Problem.conflict(Message("studies.no_paper_group"))
        }
        let earlier = try GroupStore.earlierArm(of: account, in: study, stored.groups, connection)
        let therapy = try TherapyStore.running(of: account, connection)
        if let obstacle = StudyObstacle(stored, earlier: earlier, therapy) {
            throw Problem.conflict(obstacle.message)
        }
        let own = try therapy.flatMap { try GroupStore.site(of: $0.therapistID, in: study, connection) }
        let site = own ?? named
        let levels = AllocationLevels(
            site: sequence(site: site, therapist: therapy?.therapistID), gender: therapy?.gender)
        if let earlier {
            return try GroupStore.set(earlier, site: site, therapy: therapy?.id, of: enrolment, connection)
        }
        let draw = try draw(stored, levels, in: study, connection)
        guard let arm = stored.groups.arms[draw.arm] else { throw Problem.notFound }
        try GroupStore.set(arm, site: site, therapy: therapy?.id, of: enrolment, connection)
        let gender = stored.groups.strata.contains(.gender) ? levels.gender : nil
        try AllocationStore.insert(
            draw, number: stored.allocated + 1, of: enrolment, in: study, site: site, gender: gender, at: now,
            connection)
    }

    /// Takes the next place.
    private static func draw(
        _ stored: GroupStore.Stored, _ levels: AllocationLevels, in study: ID<Study>,
        _ connection: borrowing Connection
    ) throws -> AllocationDraw {
        let groups = stored.groups
        let earlier = try AllocationStore.minimisation(groups, in: study, connection)
        let place = try GroupStore.take(placeOf: groups.sequence(of: levels), in: study, connection)
        return groups.draw(levels, at: place, seed: stored.seed, after: earlier)
    }

    /// Therapists without a named site have one of their own; participants without a therapist share one.
    static func sequence(site: String?, therapist: ID<Account>?) -> String {
        site.map { "site/" + $0 } ?? therapist.map { "therapist/\($0)" } ?? ""
    }
}
