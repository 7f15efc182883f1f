extension Collection<Double> {
    /// The arithmetic mean; nil of nothing.
    package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}
