/// A threshold for values that decide something: rules over results, delivery by results, cut-offs. Means,
/// percentages and prorated sums are inexact in the last bits, so values that differ by less than a thousand
/// millionth count as equal.
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
