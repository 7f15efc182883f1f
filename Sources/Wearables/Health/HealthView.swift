import Web

/// Measurements of one kind over a week, a month or a year, for the person and, where shared, for the therapist.
package struct HealthView: Encodable, Sendable {
    package struct Row: Encodable, Sendable {
        package let when: String
        package let value: String
        /// Source, stages, or the number of days.
        package let note: String
        /// The page of that day alone; nil on that page.
        let page: String?
        /// The address for deleting it; nil where that is impossible.
        package let removal: String?

        init(when: String, value: String, note: String, page: String? = nil, removal: String? = nil) {
            self.when = when
            self.value = value
            self.note = note
            self.page = page
            self.removal = removal
        }
    }

    let measures: [PageLink]
    let spans: [PageLink]
    let earlier: String
    /// Nil for the latest period.
    let later: String?
    let title: String
    let stretch: String
    /// `6.140 Schritte am Tag, 12 von 14 Tagen`; nil without a measurement.
    let summary: String?
    let chart: HealthChart?
    /// `Stand heute 14:05, eingegangen 14:12`.
    let asOf: String?
    /// A note that the phone's sum and its samples differ.
    let differs: String?
    package let rows: [Row]
    let hasRows: Bool
}

/// Bars or points over the days or months of a period.
package struct HealthChart: Encodable, Sendable {
    /// The meaning of a mark, for screen readers.
    let words: String
    /// 1000 wide and 160 high.
    let path: String
    let areBars: Bool
    /// The height of the goal's line; nil without a goal.
    let goal: String?
    let highest: String
    let lowest: String
    let begin: String
    let end: String

    /// - Parameters:
    ///   - values: one for each slot, nil for a gap.
    ///   - goal: in the same unit.
    init?(
        _ values: [Double?], goal: Double?, areBars: Bool, words: String, begin: String, end: String,
        label: (Double) -> String
    ) {
        let told = values.compactMap(\.self)
        guard let most = told.max(), let least = told.min() else { return nil }
        let top = max(most, goal ?? 0, areBars ? 1 : most)
        let bottom = areBars ? 0 : max(0, least - max(1, (top - least) * 0.2))
        let height = { (value: Double) in
            Int((160 - 150 * (value - bottom) / max(top - bottom, 0.001)).rounded())
        }
        let slot = 1_000.0 / Double(values.count)
        path = values.enumerated().compactMap { index, value -> String? in
            guard let value else { return nil }
            let left = Double(index) * slot
            let from = Int(left + slot * 0.15)
            let to = Int(left + slot * 0.85)
            return areBars
                ? "M\(from) 160V\(min(158, height(value)))H\(to)V160Z"
                : "M\((from + to) / 2) \(height(value))h0"
        }.joined()
        self.areBars = areBars
        self.words = words
        self.goal = goal.map { "M0 \(height($0))H1000" }
        highest = label(top)
        lowest = label(bottom)
        self.begin = begin
        self.end = end
    }
}
