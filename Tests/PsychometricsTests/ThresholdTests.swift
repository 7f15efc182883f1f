import Testing

@testable import Psychometrics

@Suite struct ThresholdTests {
    @Test(
        arguments: [
            (.atLeast, false, true, true), (.atMost, true, true, false), (.above, false, false, true),
            (.below, true, false, false), (.equals, false, true, false),
        ] as [(Threshold.Comparison, Bool, Bool, Bool)])
    func `each comparison, below, at and above ten`(
        _ comparison: Threshold.Comparison, _ below: Bool, _ equal: Bool, _ above: Bool
    ) {
        let threshold = Threshold(comparison, 10)
        #expect([9.9, 10, 10.1].map { threshold.isMet(by: $0) } == [below, equal, above])
    }

    @Test func `the last bits of a float decide nothing`() {
        let sum = 0.1 + 0.2
        #expect(sum != 0.3)
        #expect(Threshold(.equals, 0.3).isMet(by: sum) && Threshold(.atMost, 0.3).isMet(by: sum))
        #expect(!Threshold(.above, 0.3).isMet(by: sum) && Threshold(.above, 0.3).isMet(by: 0.300001))
        // In proportion to the value, never less than a thousand millionth.
        #expect(
            Threshold(.equals, 1e12).isMet(by: 1e12 + 900) && !Threshold(.equals, 1e12).isMet(by: 1e12 + 1100)
        )
        #expect(Threshold(.equals, 0).isMet(by: 9e-10) && !Threshold(.equals, 0).isMet(by: 2e-9))
    }

    @Test func `what is no number meets nothing`() {
        for comparison in Threshold.Comparison.allCases {
            #expect(!Threshold(comparison, 10).isMet(by: .nan))
        }
    }
}
