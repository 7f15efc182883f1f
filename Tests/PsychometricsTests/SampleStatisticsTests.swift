import Testing

@testable import Psychometrics

@Suite struct SampleStatisticsTests {
    @Test func `mean and deviation of a sample`() {
        // Of 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32, 32 / 7.
        let spread = SampleStatistics([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(spread?.mean == 5 && abs((spread?.deviation ?? 0) - 2.13809) < 1e-5)
        #expect(SampleStatistics([3])?.deviation == nil && SampleStatistics([]) == nil)
    }
}
