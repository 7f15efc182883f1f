import Database
import Records
import Therapies
import Wire
import Wording

/// Allocates participants to groups at the moment they enrol, or has them wait for their baseline: the group cannot be known before, or
/// chosen.
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
        if needsPaper, stored.groups.moment == .baseline {
            throw Problem.conflict(Message("studies.no_paper_baseline"))
        }
        if needsPaper, !stored.groups.arms.contains(where: { $0.treatment == .noApp }) {
            throw Problem.conflict(Message("studies.no_paper_group"))
        }
        let earlier = try GroupStore.earlierArm(of: account, in: study, stored.groups, connection)
        let therapy = try TherapyStore.running(of: account, connection)
        if let obstacle = StudyObstacle(stored, earlier: earlier, therapy) {
            throw Problem.conflict(obstacle.message)
        }
        if let earlier {
            let site = try site(of: therapy, in: study, connection) ?? named
            return try GroupStore.set(earlier, site: site, therapy: therapy?.id, of: enrolment, connection)
        }
        if stored.groups.moment == .baseline { return try WaitingStore.begin(enrolment, connection) }
        guard let enrolment = try EnrolmentStore.find(id: enrolment, connection) else {
            throw Problem.notFound
        }
        try place(enrolment, by: stored, in: therapy, site: named, at: now, connection)
    }

    /// Takes the next place for a participant.
    static func place(
        _ enrolment: EnrolmentRecord, by stored: GroupStore.Stored, in therapy: Therapy?,
        site named: String? = nil, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let study = enrolment.studyID
        let site = try site(of: therapy, in: study, connection) ?? named
        let scores = try stored.groups.strata.scores.compactMap { bands in
            try WaitingStore.score(bands, of: enrolment, connection).map { (bands, $0) }
        }
        let levels = AllocationLevels(
            site: sequence(site: site, therapist: therapy?.therapistID), gender: therapy?.gender,
            scores: Dictionary(uniqueKeysWithValues: scores))
        let draw = try draw(stored, levels, in: study, connection)
        guard let arm = stored.groups.arms[draw.arm] else { throw Problem.notFound }
        try GroupStore.set(arm, site: site, therapy: therapy?.id, of: enrolment.id, connection)
        let gender = stored.groups.strata.contains(.gender) ? levels.gender : nil
        try AllocationStore.insert(
            draw, number: stored.allocated + 1, of: enrolment.id, in: study, site: site, gender: gender,
            at: now,
            connection)
    }

    private static func site(
        of therapy: Therapy?, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> String? {
        try therapy.flatMap { try GroupStore.site(of: $0.therapistID, in: study, connection) }
    }

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
