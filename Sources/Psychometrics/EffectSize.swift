/// How far two groups lie apart, in standard deviations: Hedges' g with its 95 % confidence interval.
///
/// g = J · (m₁ − m₂) / s, where s is the pooled standard deviation and J = 1 − 3 / (4 · (n₁ + n₂ − 2) − 1) corrects for
/// small samples (Hedges 1981, Journal of Educational Statistics 6, 107–128). The interval is g ± 1.96 · √V with
/// V = J² · ((n₁ + n₂) / (n₁ · n₂) + d² / (2 · (n₁ + n₂))) (Borenstein, Hedges, Higgins & Rothstein 2009, Introduction
/// to Meta-Analysis, chapter 4).
package struct EffectSize: Sendable, Equatable {
    package let g: Double
    package let low: Double
    package let high: Double

    /// The first group against the second; nil for fewer than two values in one of them, or when all are the same.
    package init?(_ first: [Double], _ second: [Double]) {
        let one = Double(first.count)
        let other = Double(second.count)
        guard let a = SampleStatistics(first), let b = SampleStatistics(second), let s1 = a.deviation,
            let s2 = b.deviation
        else { return nil }
        let freedom = one + other - 2
        let pooled = (((one - 1) * s1 * s1 + (other - 1) * s2 * s2) / freedom).squareRoot()
        // Equal values differ by the last bits of a float.
        let size = (first + second).map(abs).max() ?? 0
        guard pooled > 1e-9 * max(1, size) else { return nil }
        let d = (a.mean - b.mean) / pooled
        let correction = 1 - 3 / (4 * freedom - 1)
        let variance = (one + other) / (one * other) + d * d / (2 * (one + other))
        let half = 1.96 * correction * variance.squareRoot()
        g = correction * d
        low = g - half
        high = g + half
    }
}
