/// Whether a difference between two values of a scale is larger than the error of measurement explains.
///
/// Source: Jacobson & Truax 1991, J Consult Clin Psychol 59:12-19.
package struct ReliableChange: Sendable, Equatable {
    /// The difference in points from which on a change is reliable: 1.96 · √2 · SD · √(1 − r).
    package let criterion: Double
    package let higherIsWorse: Bool

    private static let quantile = 1.96

    /// - Parameter reliability: 0 up to, not including, 1.
    package init?(standardDeviation: Double, reliability: Double, higherIsWorse: Bool) {
        guard standardDeviation > 0, (0..<1).contains(reliability) else { return nil }
        let error = standardDeviation * (1 - reliability).squareRoot()
        criterion = Self.quantile * 2.0.squareRoot() * error
        self.higherIsWorse = higherIsWorse
    }

    /// RC, the difference over its standard error.
    package func index(from first: Double, to last: Double) -> Double {
        (last - first) / (criterion / Self.quantile)
    }

    package func isReliable(_ difference: Double) -> Bool {
        Threshold(.above, criterion).isMet(by: abs(difference))
    }

    package func isWorsening(_ difference: Double) -> Bool {
        isReliable(difference) && (difference > 0) == higherIsWorse
    }

    package func isImprovement(_ difference: Double) -> Bool {
        isReliable(difference) && (difference > 0) != higherIsWorse
    }
}
