import Testing

@testable import Psychometrics

/// Jacobson & Truax 1991, J Consult Clin Psychol 59:12–19; the vectors are those of measurement.md.
@Suite struct ReliableChangeTests {
    @Test func `SD 7.5 and r 0.80 make 9.297 points, and 32.5 to 47.5 an RC of 3.162`() throws {
        let change = try #require(
            ReliableChange(standardDeviation: 7.5, reliability: 0.8, higherIsWorse: false))
        #expect(abs(change.criterion - 9.297) < 0.001)
        #expect(abs(change.index(from: 32.5, to: 47.5) - 3.162) < 0.001)
        #expect(abs(change.index(from: 47.5, to: 32.5) + 3.162) < 0.001)
        #expect(change.isReliable(9.3) && change.isReliable(-9.3) && !change.isReliable(9.29))
    }

    @Test(arguments: [true, false])
    func `what is worse depends on the scale, and a small difference is neither`(_ higherIsWorse: Bool) throws
    {
        let change = try #require(
            ReliableChange(standardDeviation: 7.5, reliability: 0.8, higherIsWorse: higherIsWorse))
        let worse: Double = higherIsWorse ? 15 : -15
        #expect(change.isWorsening(worse) && !change.isImprovement(worse))
        #expect(change.isImprovement(-worse) && !change.isWorsening(-worse))
        #expect(!change.isWorsening(worse / 2) && !change.isImprovement(-worse / 2))
    }

    @Test func `a difference of exactly the criterion is not reliable: |RC| has to be above 1.96`() throws {
        let change = try #require(ReliableChange(standardDeviation: 2, reliability: 0.5, higherIsWorse: true))
        #expect(abs(change.criterion - 3.92) < 1e-12)
        #expect(!change.isReliable(change.criterion) && change.isReliable(3.93))
    }

    @Test(arguments: [(0, 0.8), (-1, 0.8), (7.5, 1), (7.5, -0.1), (7.5, 1.2), (.nan, 0.8), (7.5, .nan)])
    func `no verdict without a deviation and a reliability`(_ deviation: Double, _ reliability: Double) {
        #expect(
            ReliableChange(standardDeviation: deviation, reliability: reliability, higherIsWorse: true) == nil
        )
    }
}
