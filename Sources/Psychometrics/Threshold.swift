/// What a value is held against, wherever something follows from it: rules over results, delivery by results, cut-offs.
/// Means, percentages and prorated sums carry the last bits of a float, so values that differ by less than a thousand
/// millionth count as the same.
package struct Threshold: Sendable, Equatable {
    package enum Comparison: String, Sendable, CaseIterable {
        case atLeast = "at_least"
        case atMost = "at_most"
        case above, below, equals
    }

    package let comparison: Comparison
    package let value: Double

    package init(_ comparison: Comparison, _ value: Double) {
        self.comparison = comparison
        self.value = value
    }

    private var tolerance: Double { 1e-9 * max(1, abs(value)) }

    package func isMet(by other: Double) -> Bool {
        switch comparison {
        case .atLeast: other >= value - tolerance
        case .atMost: other <= value + tolerance
        case .above: other > value + tolerance
        case .below: other < value - tolerance
        case .equals: abs(other - value) <= tolerance
        }
    }
}
