/// Mean and standard deviation of a sample.
package struct SampleStatistics: Sendable, Equatable {
    package let mean: Double
    /// With n − 1 below; nil for fewer than two values.
    package let deviation: Double?

    /// Nil for no values.
    package init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        self.mean = mean
        deviation = values.count < 2 ? nil : (squares / Double(values.count - 1)).squareRoot()
    }
}
