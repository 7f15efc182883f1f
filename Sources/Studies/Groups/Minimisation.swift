import Scheduling

/// Allocation that balances the levels of all strata at once, after Pocock and Simon (1975): of each arm is reckoned how unequal the
/// numbers would be with one more in it, and the one that leaves them most equal comes with the probability 0.8.
///
/// Ratios are kept as Kuznetsova and Tymofyeyev (2012) do: an arm has as many slots as its ratio says, and slots are balanced as arms
/// of equal size would be. Probabilities of arms themselves would miss a ratio of more than 4 to 1, and draw single places unequally.
package struct Minimisation: Sendable {
    /// In the order of the arms.
    let slots: [StudyArm.Key]
    /// How often each slot has come to each level, stratum by stratum.
    private var counts: [[String: [Int]]]

    /// Of ten draws, how many take the better slot.
    static let better = 8
    static let draws = 10

    package init(_ arms: [StudyArm], strata: Int) {
        slots = arms.turn
        counts = Array(repeating: [:], count: strata)
    }

    /// Notes allocations of participants with the same levels to a slot.
    package mutating func note(_ slot: Int, levels: [String], times: Int = 1) {
        for (stratum, level) in levels.enumerated() where stratum < counts.count && slot < slots.count {
            counts[stratum][level, default: Array(repeating: 0, count: slots.count)][slot] += times
        }
    }

    /// The slot of the next participant.
    /// - Parameter number: how many came before.
    package func draw(levels: [String], number: Int, seed: UInt64) -> Int {
        let best = best(levels)
        var chance = SplitMix64(seed ^ Schedule.seed("minimised", String(number)))
        let chosen = best[chance.number(below: best.count)]
        if chance.number(below: Self.draws) < Self.better { return chosen }
        let other = chance.number(below: slots.count - 1)
        return other < chosen ? other : other + 1
    }

    /// The slots that would leave the numbers most equal.
    private func best(_ levels: [String]) -> [Int] {
        let ranges = slots.indices.map { slot in
            zip(counts, levels).reduce(0) { sum, stratum in
                var numbers = stratum.0[stratum.1] ?? Array(repeating: 0, count: slots.count)
                numbers[slot] += 1
                return sum + (numbers.max() ?? 0) - (numbers.min() ?? 0)
            }
        }
        return slots.indices.filter { ranges[$0] == ranges.min() }
    }

    /// How probable each arm is for who knows everything but the seed.
    package func probabilities(levels: [String]) -> [StudyArm.Key: Double] {
        let best = best(levels)
        let better = Double(Self.better) / Double(Self.draws)
        let others = (1 - better) / Double(slots.count - 1)
        let chosen = 1 / Double(best.count)
        return slots.indices.reduce(into: [:]) { arms, slot in
            let share = best.contains(slot) ? chosen : 0
            arms[slots[slot], default: 0] += share * better + (1 - share) * others
        }
    }

    /// The probability of the likeliest arm, in thousandths.
    package func guess(levels: [String]) -> Int {
        Int(((probabilities(levels: levels).values.max() ?? 1) * 1000).rounded())
    }
}
