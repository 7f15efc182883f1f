import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// Measurements of one kind over a week, a month or a year, for the person and, where it is shown, for the therapist.
package struct HealthView: Encodable, Sendable {
    package struct Row: Encodable, Sendable {
        package let when: String
        package let value: String
        /// Source, stages, or from how many days.
        package let note: String
        /// The page of that day alone; nil where that is no other.
        let page: String?
        /// What deletes it; nil where nothing can be deleted.
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
    /// Nil where there is nothing later.
    let later: String?
    let title: String
    let stretch: String
    /// `6.140 Schritte am Tag, 12 von 14 Tagen`; nil where nothing was measured.
    let summary: String?
    let chart: HealthChart?
    /// `Stand heute 14:05, eingegangen 14:12`.
    let asOf: String?
    /// That the phone's sum and its samples do not agree.
    let differs: String?
    package let rows: [Row]
    let hasRows: Bool

    package static let example = HealthView(
        measures: [PageLink(label: "Schritte", path: "?type=steps", isCurrent: true)],
        spans: [PageLink(label: "Woche", path: "?span=week", isCurrent: true)], earlier: "?to=2026-11-15",
        later: nil, title: "Schritte", stretch: "16.11.2026 – 22.11.2026",
        summary: "6140 Schritte am Tag, 6 von 7 Tagen", chart: .example,
        asOf: "Stand heute 14:05, eingegangen heute 14:12.", differs: nil,
        rows: [
            Row(
                when: "So 22.11.", value: "6140 Schritte", note: "Health Connect",
                page: "/my/health?type=steps&span=day&to=2026-11-22",
                removal: "/my/health/days/steps/2026-11-22/health_connect/removal")
        ],
        hasRows: true)
}

/// Bars or points over the days or months of a stretch.
package struct HealthChart: Encodable, Sendable {
    /// What a mark stands for, said for those who do not see it.
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

    package static let example = HealthChart(
        words: "Schritte", path: "M20 160V40H120V160Z", areBars: true, goal: "M0 60H1000", highest: "9000",
        lowest: "0", begin: "16.11.", end: "22.11.")

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
            let (from, to) = (Int(left + slot * 0.15), Int(left + slot * 0.85))
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

    private init(
        words: String, path: String, areBars: Bool, goal: String?, highest: String, lowest: String,
        begin: String, end: String
    ) {
        self.words = words
        self.path = path
        self.areBars = areBars
        self.goal = goal
        self.highest = highest
        self.lowest = lowest
        self.begin = begin
        self.end = end
    }
}
