import Psychometrics

extension ReliableChange {
    /// Nil where the instrument's figures or its direction are not known: then there is no verdict.
    package init?(_ scale: Scale) {
        guard let deviation = scale.standardDeviation, let reliability = scale.reliability,
            let higherIsWorse = scale.higherIsWorse
        else { return nil }
        self.init(standardDeviation: deviation, reliability: reliability, higherIsWorse: higherIsWorse)
    }
}
