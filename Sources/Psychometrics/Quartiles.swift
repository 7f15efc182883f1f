/// Quartiles and median: quantiles by linear interpolation (type 7 of Hyndman and Fan).
package struct Quartiles: Sendable, Equatable {
    package let lower: Double
    package let median: Double
    package let upper: Double

    /// Nil without values.
    package init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let ordered = values.sorted()
        let at = { (share: Double) -> Double in
            let place = share * Double(ordered.count - 1)
            let index = Int(place)
            let next = ordered[min(index + 1, ordered.count - 1)]
            return ordered[index] + (next - ordered[index]) * (place - Double(index))
        }
        lower = at(0.25)
        median = at(0.5)
        upper = at(0.75)
    }
}
