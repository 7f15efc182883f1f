import Scheduling
import Testing
import Wire

@testable import Records
@testable import Studies
@testable import Therapies

/// ST-5: minimisation after Pocock and Simon, and what can be known of the next arm.
@Suite struct MinimisationTests {
    private static func arm(_ key: String, _ ratio: Int = 1) -> StudyArm {
        StudyArm(key: .init(rawValue: key), title: ["en": key], treatment: .full, ratio: ratio)
    }

    private static func design(
        _ allocation: TrialDesign.Allocation, _ arms: [StudyArm], size: Int = 1,
        _ strata: [TrialDesign.Stratum] = [.site, .gender]
    ) -> TrialDesign {
        TrialDesign(
            allocation: allocation, arms: arms, size: size, strata: strata, sampleSize: 10_000, outcomes: [])
    }

    @Test func `ST-5 the example of Pocock and Simon's rule, by hand`() {
        // Two arms; of the women three are in a and one in b, of Ulm one in a and two in b.
        var minimisation = Minimisation([Self.arm("a"), Self.arm("b")], strata: 2)
        minimisation.note(0, levels: ["Linz", "female"], times: 3)
        minimisation.note(1, levels: ["Ulm", "female"])
        minimisation.note(0, levels: ["Ulm", "male"])
        minimisation.note(1, levels: ["Ulm", "male"])
        // A woman in Ulm: with one more in a the numbers are 2 and 2, 4 and 1: 3 apart. In b they are 1 and 3, 3 and 2: 3 apart.
        #expect(minimisation.guess(levels: ["Ulm", "female"]) == 500)
        // A woman in Linz: in a 4 and 0, 4 and 1: 7 apart. In b 3 and 1, 3 and 2: 3 apart, so b is the better one.
        #expect(minimisation.guess(levels: ["Linz", "female"]) == 800)
        let drawn = (0..<10_000 as Range<UInt64>).count {
            minimisation.draw(levels: ["Linz", "female"], number: 7, seed: $0) == 1
        }
        // Four standard deviations.
        #expect(abs(drawn - 8_000) < 160, "\(drawn)")
    }

    @Test func `ST-5 any ratio is kept, also where it is more than the probability of the better arm`() {
        let design = Self.design(.minimised, [Self.arm("a", 9), Self.arm("b")])
        let drawn = Simulation(design, people: 3_000, seed: 11).run()
        let share = drawn.count { $0.draw.arm.rawValue == "b" }
        #expect(abs(share - 300) < 25, "\(share)")
    }

    /// Participants who come in any order, from sites of different sizes.
    private struct Simulation {
        let design: TrialDesign
        let people: Int
        let seed: UInt64

        init(_ design: TrialDesign, people: Int, seed: UInt64) {
            self.design = design
            self.people = people
            self.seed = seed
        }

        func run() -> [(levels: AllocationLevels, draw: AllocationDraw)] {
            var chance = SplitMix64(seed)
            var places: [String: Int] = [:]
            var earlier = Minimisation(design.arms, strata: design.strata.count)
            let sites = ["site/Ulm", "site/Ulm", "site/Ulm", "site/Linz", "therapist/one", ""]
            let genders: [Gender?] = [.female, .female, .male, .male, .diverse, .notStated, nil]
            return (0..<people).map { _ in
                let levels = AllocationLevels(
                    site: sites[chance.number(below: sites.count)],
                    gender: genders[chance.number(below: genders.count)])
                let sequence = design.sequence(of: levels)
                let place = places[sequence, default: 0]
                places[sequence] = place + 1
                let draw = design.draw(levels, at: place, seed: seed, after: earlier)
                if let slot = draw.slot { earlier.note(slot, levels: draw.levels) }
                return (levels, draw)
            }
        }
    }

    private static let designs: [TrialDesign] = [
        design(.randomised, [.full, .noInterventions], size: 4),
        design(.randomised, [arm("a", 2), arm("b"), arm("c")], size: 8),
        design(.minimised, [.full, .noInterventions]), design(.minimised, [arm("a", 2), arm("b"), arm("c")]),
    ]

    @Test(arguments: designs.indices)
    func `ST-5 ten thousand enrolments are balanced within every stratum`(index: Int) {
        let design = Self.designs[index]
        let drawn = Simulation(design, people: 10_000, seed: 5).run()
        let ratios = design.arms.turn.count
        if design.allocation == .randomised {
            // Within one sequence no arm is ever further from its share than a block allows.
            for (sequence, own) in Dictionary(grouping: drawn, by: \.draw.sequence) {
                for arm in design.arms {
                    var count = 0
                    for (place, one) in own.enumerated() {
                        if one.draw.arm == arm.key { count += 1 }
                        let share = Double((place + 1) * arm.ratio) / Double(ratios)
                        #expect(abs(Double(count) - share) <= Double(design.size) / 2, "\(sequence) \(place)")
                    }
                }
            }
        }
        for stratum in design.strata {
            for (level, own) in Dictionary(grouping: drawn, by: { $0.levels.level(of: stratum) }) {
                for arm in design.arms {
                    let count = Double(own.count { $0.draw.arm == arm.key })
                    let share = Double(own.count * arm.ratio) / Double(ratios)
                    // Blocks that are not full, one for each sequence of the level; minimisation leaves a handful.
                    let most = design.allocation == .minimised ? 12.0 : Double(design.size) / 2 * 5
                    #expect(abs(count - share) <= most, "\(level): \(count) of \(own.count)")
                }
            }
        }
    }

    /// A lead who sees every earlier allocation with its stratum and its moment, and knows the rule and the size of the block: the best
    /// guess is the arm of which most are left, or the better one. Nothing they see may make it better than the rule allows.
    @Test(arguments: designs.indices)
    func `ST-5 the best guess of a lead who sees everything is as good as the rule allows and no better`(
        index: Int
    ) {
        let design = Self.designs[index]
        var right = 0.0
        var allowed = 0.0
        var variance = 0.0
        for (number, one) in Guessing(design).guesses(Simulation(design, people: 10_000, seed: 17).run())
            .enumerated()
        {
            let (guess, arm, probability) = one
            #expect(probability <= 1, "\(number)")
            if guess == arm { right += 1 }
            allowed += probability
            variance += probability * (1 - probability)
        }
        // Four standard deviations of what the rule allows.
        #expect(abs(right - allowed) < 4 * variance.squareRoot(), "\(right) right, \(allowed) allowed")
        if design.allocation == .minimised { #expect(allowed < 10_000 * 0.9) }
    }

    /// Guesses from the log alone: neither seed nor slots.
    private struct Guessing {
        let design: TrialDesign

        init(_ design: TrialDesign) { self.design = design }

        /// The guess, what came, and how probable the guess was by the rule.
        func guesses(
            _ drawn: [(levels: AllocationLevels, draw: AllocationDraw)]
        ) -> [(StudyArm.Key, StudyArm.Key, Double)] {
            var seen: [String: [StudyArm.Key]] = [:]
            var earlier = Minimisation(design.arms, strata: design.strata.count)
            return drawn.map { one in
                let sequence = one.draw.sequence
                defer {
                    seen[sequence, default: []].append(one.draw.arm)
                    if let slot = one.draw.slot { earlier.note(slot, levels: one.draw.levels) }
                }
                if design.allocation == .randomised {
                    var left = design.arms.reduce(into: [StudyArm.Key: Int]()) {
                        $0[$1.key] = design.size / design.arms.turn.count * $1.ratio
                    }
                    let block = (seen[sequence] ?? []).suffix((seen[sequence] ?? []).count % design.size)
                    for arm in block { left[arm, default: 0] -= 1 }
                    let most = left.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
                    let rest = left.values.reduce(0, +)
                    return (most?.key ?? .full, one.draw.arm, Double(most?.value ?? 0) / Double(rest))
                }
                let probabilities = earlier.probabilities(levels: one.draw.levels)
                let most = probabilities.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
                return (most?.key ?? .full, one.draw.arm, most?.value ?? 0)
            }
        }
    }

    @Test func `ST-5 an arm that follows is known, and one that chance decides is not`() {
        let blocks = Self.design(.randomised, [.full, .noInterventions], size: 4)
        let drawn = Simulation(blocks, people: 400, seed: 3).run()
        for own in Dictionary(grouping: drawn, by: \.draw.sequence).values {
            for one in own where one.draw.place % 4 == 3 { #expect(one.draw.isCertain) }
            for one in own where one.draw.place % 4 == 0 { #expect(one.draw.guess == 500) }
        }
        let cohorts = Self.design(.alternating, [.full, .noInterventions], size: 3)
        #expect(Simulation(cohorts, people: 40, seed: 3).run().allSatisfy { $0.draw.isCertain })
        let minimised = Self.design(.minimised, [.full, .noInterventions])
        let guesses = Set(Simulation(minimised, people: 400, seed: 3).run().map(\.draw.guess))
        #expect(guesses == [500, 800])
    }
}
