import Testing

@testable import Scheduling

/// TYS-6: random moments of a window of the day.
@Suite struct PromptSpreadTests {
    func clock(_ minutes: Int) -> ClockTime { ClockTime(minutes: minutes) }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `TYS-6 prompts are fifteen minutes apart, one in each part of the window`(seed: UInt64) {
        var chance = SplitMix64(seed)
        for (amount, from, to) in [
            (1, 480, 1320), (5, 480, 1320), (55, 480, 1320), (3, 600, 646), (1, 0, 16),
        ] {
            let clocks = PromptSpread.clocks(amount, from: clock(from), to: clock(to), &chance).map(\.minutes)
            #expect(PromptSpread.fits(amount, from: clock(from), to: clock(to)))
            #expect(clocks.count == amount && clocks.allSatisfy { $0 >= from && $0 < to })
            #expect(zip(clocks, clocks.dropFirst()).allSatisfy { $1 - $0 >= PromptSpread.leastMinutesApart })
            for (part, minute) in clocks.enumerated() {
                #expect(minute >= from + (to - from) * part / amount, "\(clocks)")
            }
        }
    }

    @Test func `TYS-6 an amount that does not fit is told, and ends all the same`() {
        for (amount, from, to) in [(56, 480, 1320), (3, 600, 645), (1, 600, 600), (1, 480, 495)] {
            #expect(!PromptSpread.fits(amount, from: clock(from), to: clock(to)))
            var chance = SplitMix64(1)
            #expect(PromptSpread.clocks(amount, from: clock(from), to: clock(to), &chance).count == amount)
        }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `TYS-6 fixed times of the same day are kept away from, as far as there is room`(seed: UInt64) {
        var chance = SplitMix64(seed)
        let fixed = [clock(540), clock(700)]
        let free = PromptSpread.clocks(3, from: clock(480), to: clock(720), apartFrom: fixed, &chance)
        #expect(free.allSatisfy { one in fixed.allSatisfy { abs($0.minutes - one.minutes) >= 15 } })
        // No minute of this window is a quarter of an hour away; the last one is the farthest.
        let full = PromptSpread.clocks(1, from: clock(535), to: clock(550), apartFrom: [clock(540)], &chance)
        #expect(full == [clock(549)])
    }

    /// Written down once: moments that a phone and the portal have told must be drawn again by every later version.
    @Test func `TYS-6 the moments of a seed do not change with the program`() {
        var chance = SplitMix64(1)
        let clocks = PromptSpread.clocks(4, from: clock(480), to: clock(1320), &chance)
        #expect(clocks.map(\.text) == ["09:58", "14:06", "18:23", "20:07"])
    }
}
