import Psychometrics

/// A scale's change since the begin, where the instrument's figures are known (Jacobson & Truax 1991).
package enum ClinicalChange: String, Sendable, CaseIterable {
    /// Reliably better, and across the cut-off from the clinical side.
    case recovered
    /// Reliably better.
    case improved
    case unchanged
    /// Reliably worse.
    case deteriorated

    /// Nil without reliability, deviation and direction of the instrument: then there is no verdict. Without a
    /// cut-off no change counts as recovered.
    package init?(_ scale: Scale, from first: Double, to last: Double) {
        guard let reliable = ReliableChange(scale) else { return nil }
        let difference = last - first
        if reliable.isWorsening(difference) {
            self = .deteriorated
        } else if reliable.isImprovement(difference) {
            self = Self.hasCrossed(scale, from: first, to: last) ? .recovered : .improved
        } else {
            self = .unchanged
        }
    }

    /// A begin on the healthy side cannot become recovered. A value at the cut-off is not yet healthy.
    private static func hasCrossed(_ scale: Scale, from first: Double, to last: Double) -> Bool {
        scale.isBurdened(first) == true && scale.isBurdened(last) == false
    }
}
