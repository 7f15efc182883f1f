import Testing

@testable import Psychometrics

/// The worked example of Borenstein, Hedges, Higgins & Rothstein 2009, Introduction to Meta-Analysis, chapter 4: means 103 and
/// 100, standard deviations 5.5 and 4.5, fifty each; d 0.5970, J 0.9923 (there 0.9924), g 0.5924, variance 0.0411.
@Suite struct EffectSizeTests {
    /// Fifty values with exactly that mean and deviation: half below and half above.
    private func sample(_ mean: Double, _ deviation: Double) -> [Double] {
        let step = deviation * (49.0 / 50).squareRoot()
        return (0..<50).map { $0 < 25 ? mean - step : mean + step }
    }

    @Test func `g and its interval are those of the worked example`() throws {
        let size = try #require(EffectSize(sample(103, 5.5), sample(100, 4.5)))
        #expect(abs(size.g - 0.5924) < 0.0002)
        let half = 1.96 * 0.0411.squareRoot()
        #expect(abs(size.low - (0.5924 - half)) < 0.001 && abs(size.high - (0.5924 + half)) < 0.001)
    }

    @Test func `the other way round it is the same with a minus`() throws {
        let size = try #require(EffectSize(sample(103, 5.5), sample(100, 4.5)))
        let turned = try #require(EffectSize(sample(100, 4.5), sample(103, 5.5)))
        #expect(abs(size.g + turned.g) < 1e-12 && abs(size.low + turned.high) < 1e-12)
    }

    @Test func `small samples are corrected: J is 1 - 3 / (4 (n1 + n2 - 2) - 1)`() throws {
        // Two and two: one apart, pooled deviation √0.5, J = 1 − 3/7.
        let size = try #require(EffectSize([1, 2], [0, 1]))
        #expect(abs(size.g - 2.0.squareRoot() * 4 / 7) < 1e-12)
    }

    @Test(
        arguments: [
            ([], [1, 2]), ([1], [1, 2]), ([1, 2], [1]), ([3, 3], [3, 3]), ([0.1, 0.1], [0.3, 0.3]),
        ] as [([Double], [Double])])
    func `without spread there is no size`(_ first: [Double], _ second: [Double]) {
        #expect(EffectSize(first, second) == nil)
    }

    @Test func `equal values that differ by the last bits have no spread`() {
        let third = 0.1 + 0.2
        #expect(EffectSize([0.3, third], [0.3, third]) == nil)
    }
}
