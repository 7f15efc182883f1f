import Testing

@testable import Psychometrics

@Suite struct SampleStatisticsTests {
    @Test func `mean and deviation of a sample`() {
        // Of 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32, 32 / 7.
        let spread = SampleStatistics([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(spread?.mean == 5 && abs((spread?.deviation ?? 0) - 2.13809) < 1e-5)
        #expect(SampleStatistics([3])?.deviation == nil && SampleStatistics([]) == nil)
    }

    @Test func `the daily vector of measurement.md: n 8, mean 3.125, SD 1.3562`() {
        let spread = SampleStatistics([2, 4, 3, 5, 1, 4, 4, 2])
        #expect(spread?.mean == 3.125 && abs((spread?.deviation ?? 0) - 1.3562) < 1e-4)
    }
}

/// Type 7 of Hyndman and Fan (1996, The American Statistician 50:361–365), the default of R.
@Suite struct QuartilesTests {
    @Test(
        arguments: [
            // quantile(1:10), quantile(c(9, 1, 4)), quantile(c(1, 2)) and quantile(7) in R.
            ([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 3.25, 5.5, 7.75), ([9, 1, 4], 2.5, 4, 6.5),
            ([1, 2], 1.25, 1.5, 1.75), ([7], 7, 7, 7),
        ] as [([Double], Double, Double, Double)])
    func `quartiles are those of R`(_ values: [Double], _ lower: Double, _ median: Double, _ upper: Double) {
        let quartiles = Quartiles(values)
        #expect(quartiles?.lower == lower && quartiles?.median == median && quartiles?.upper == upper)
    }

    @Test func `no values have no middle`() { #expect(Quartiles([]) == nil) }
}
