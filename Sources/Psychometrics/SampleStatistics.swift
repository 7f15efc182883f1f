/// Mean and standard deviation of a sample.
package struct SampleStatistics: Sendable, Equatable {
    package let mean: Double
    /// With denominator n − 1; nil for fewer than two values.
    package let deviation: Double?

    /// Nil without values.
    package init?(_ values: [Double]) {
        guard let mean = values.mean else { return nil }
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        self.mean = mean
        deviation = values.count < 2 ? nil : (squares / Double(values.count - 1)).squareRoot()
    }
}
