import JSON
import Records
import Secrets

/// What an allocation came to, and by what.
package struct AllocationDraw: Sendable, Equatable {
    package let arm: StudyArm.Key
    package let sequence: String
    /// In the sequence, from 0.
    package let place: Int
    /// Of each stratum.
    package let levels: [String]
    /// Of minimisation.
    package let slot: Int?
    /// How surely it could be guessed by all that came before, in thousandths.
    package let guess: Int

    /// Whether it followed from all that came before, without the seed.
    var isCertain: Bool { guess == 1000 }
}

extension TrialDesign {
    /// The one row in which everybody stands who is allocated by minimisation.
    static let minimised = "minimised"

    func sequence(of levels: AllocationLevels) -> String {
        allocation == .minimised ? Self.minimised : levels.sequence(in: strata)
    }

    /// - Parameters:
    ///   - place: in the sequence.
    ///   - earlier: what minimisation has drawn so far; not looked at otherwise.
    package func draw(
        _ levels: AllocationLevels, at place: Int, seed: UInt64, after earlier: Minimisation
    ) -> AllocationDraw {
        let sequence = sequence(of: levels)
        let own = strata.map(levels.level)
        if allocation == .minimised {
            let slot = earlier.draw(levels: own, number: place, seed: seed)
            return AllocationDraw(
                arm: earlier.slots[slot], sequence: sequence, place: place, levels: own, slot: slot,
                guess: earlier.guess(levels: own))
        }
        return AllocationDraw(
            arm: arm(at: place, of: sequence, seed: seed), sequence: sequence, place: place, levels: own,
            slot: nil, guess: guess(at: place, of: sequence, seed: seed))
    }

    /// Cohorts follow from their size; of a block it is known which arms are left.
    private func guess(at place: Int, of sequence: String, seed: UInt64) -> Int {
        guard allocation == .randomised else { return 1000 }
        let rest = block(place / size, of: sequence, seed: seed)[(place % size)...]
        let counts = rest.reduce(into: [StudyArm.Key: Int]()) { $0[$1, default: 0] += 1 }
        return (counts.values.max() ?? 0) * 1000 / rest.count
    }

    /// What allocation follows from, line by line, as it is committed to (`docs/decisions/0055-arms.md`).
    package func rule(seed: UInt64, salt: [UInt8]) -> String {
        let arms = arms.map { "\($0.key.rawValue)*\($0.ratio)" }.joined(separator: " ")
        return """
            intersession allocation \(AllocationRule.version)
            allocation \(allocation.rawValue)
            arms \(arms)
            size \(size)
            strata \(strata.column)
            \(moment == .baseline ? "allocated baseline\n" : "")seed \(seed)
            salt \(hexadecimalDigits(salt))

            """
    }
}

extension TrialDesign {
    /// The scores that an allocation was balanced by, with their levels.
    package func scoreLevels(_ draw: AllocationDraw) -> [(bands: ScoreBands, level: String)] {
        zip(strata, draw.levels).compactMap { stratum, level in stratum.score.map { ($0, level) } }
    }

    /// Told from the beginning: that rule and seed were there, and have not been changed since.
    package func commitment(seed: UInt64, salt: [UInt8]) -> String {
        hexadecimalDigits(Digest.sha256(Array(rule(seed: seed, salt: salt).utf8)))
    }
}

package enum AllocationRule {
    /// Of the way in which places are drawn; another one counts up.
    package static let version = 1
    package static let saltBytes = 32
}
