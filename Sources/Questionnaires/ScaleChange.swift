import Psychometrics

extension ReliableChange {
    /// Nil when the instrument's figures or its direction are unknown: then there is no verdict.
    package init?(_ scale: Scale) {
        guard let deviation = scale.standardDeviation, let reliability = scale.reliability,
            let higherIsWorse = scale.higherIsWorse
        else { return nil }
        self.init(standardDeviation: deviation, reliability: reliability, higherIsWorse: higherIsWorse)
    }
}

extension Scale {
    /// Whether a value is at the cut-off or beyond it, on the clinical side; nil when cut-off or direction are unknown.
    package func isBurdened(_ value: Double) -> Bool? {
        guard let cutoff, let higherIsWorse else { return nil }
        return Threshold(higherIsWorse ? .atLeast : .atMost, cutoff).isMet(by: value)
    }
}
