import Database
import Records
import Scheduling
import Therapies
import Wire

/// How participants are allocated to groups (IO-21), and the outcomes compared between them.
package struct TrialDesign: Sendable, Equatable {
    package enum Allocation: String, Sendable, CaseIterable, SQLConvertible {
        case alternating, randomised, minimised
    }

    /// When a participant is allocated (ST-5).
    package enum Moment: String, Sendable, CaseIterable, SQLConvertible {
        case enrolment
        /// When the required baselines are answered; until then the participant waits.
        case baseline
    }

    package let allocation: Allocation
    package let moment: Moment
    package let arms: [StudyArm]
    /// Of a cohort, or of a block; 1 for minimisation.
    package let size: Int
    /// What allocation is balanced by; sequences are those of a site in any case.
    package let strata: [Stratum]
    package let sampleSize: Int
    /// The primary ones first.
    package let outcomes: [Outcome]

    package init(
        allocation: Allocation, at moment: Moment = .enrolment, arms: [StudyArm], size: Int,
        strata: [Stratum] = [], sampleSize: Int, outcomes: [Outcome]
    ) {
        self.allocation = allocation
        self.moment = moment
        self.arms = arms
        self.size = size
        self.strata = strata.ordered
        self.sampleSize = sampleSize
        self.outcomes = outcomes.filter(\.isPrimary) + outcomes.filter { !$0.isPrimary }
    }

    /// The keys of the questionnaires of therapies that outcomes name, each once.
    package var ofTherapies: [String] {
        outcomes.filter { $0.source == .therapy }.map(\.key).reduce(into: []) { keys, key in
            if !keys.contains(key) { keys.append(key) }
        }
    }

    /// The arm of a place in a site's sequence, counted from 0. Cohorts take turns in the order of the arms, each as often as
    /// its ratio. Blocks hold every arm as often as its ratio, in an order shuffled after Fisher and Yates by randomness from
    /// the seed, the site and the number of the block; the same seed always gives the same sequence.
    package func arm(at place: Int, of site: String, seed: UInt64) -> StudyArm.Key {
        let turn = arms.turn
        guard allocation == .randomised else { return turn[place / size % turn.count] }
        return block(place / size, of: site, seed: seed)[place % size]
    }

    /// A block, as it is drawn.
    func block(_ number: Int, of site: String, seed: UInt64) -> [StudyArm.Key] {
        let turn = arms.turn
        var block = (0..<size).map { turn[$0 % turn.count] }
        var chance = SplitMix64(seed ^ Schedule.seed(site, String(number)))
        for index in stride(from: size - 1, to: 0, by: -1) {
            block.swapAt(index, chance.number(below: index + 1))
        }
        return block
    }

    /// How often each arm is among the first places of a site's sequence.
    func arms(in taken: Int, of site: String, seed: UInt64) -> [StudyArm.Key: Int] {
        // After a block, or a turn of all cohorts, every arm has come as often as its ratio says.
        let ratios = arms.turn.count
        let turn = allocation == .randomised ? size : size * ratios
        let whole = taken / turn
        let rest = (whole * turn..<taken).map { arm(at: $0, of: site, seed: seed) }
        return arms.reduce(into: [:]) { counts, arm in
            counts[arm.key] = whole * (turn / ratios) * arm.ratio + rest.count { $0 == arm.key }
        }
    }

    /// The parts that may not change once a participant is in a group.
    package func isSame(as other: TrialDesign) -> Bool {
        allocation == other.allocation && moment == other.moment
            && arms.elementsEqual(other.arms) { $0.isSame(as: $1) }
            && size == other.size && strata == other.strata && outcomes == other.outcomes
    }
}

extension AuditAction {
    package static let studyGroupsChanged = AuditAction(name: "study.groups_changed")
    package static let studyAllocationClosed = AuditAction(name: "study.allocation_closed")
}
