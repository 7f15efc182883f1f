import HTTP
import Wire

/// The choice of a measurement page: the measure, the length, the last day. Invalid values fall back to the default.
struct HealthChoice: Sendable {
    enum Span: String, CaseIterable, Sendable { case day, week, month, year }

    /// The measures with pages here: all that can be shared except those with pages of their own.
    static let measures = MeasurementSharing.Measure.ordered.filter { $0 != .listening && $0 != .tinnitus }

    let measure: MeasurementSharing.Measure
    let span: Span
    let last: LocalDate

    init(measure: MeasurementSharing.Measure, span: Span, last: LocalDate) {
        self.measure = measure
        self.span = span
        self.last = last
    }

    init(_ query: Form, today: LocalDate) {
        let asked = query["type"].flatMap(MeasurementSharing.Measure.init(rawValue:))
        measure = asked.flatMap { Self.measures.contains($0) ? $0 : nil } ?? .steps
        span = query["span"].flatMap(Span.init(rawValue:)) ?? .week
        last = min(query["to"].flatMap { LocalDate($0) } ?? today, today)
    }

    /// The first day of the period; a year is twelve whole months, the last one so far.
    var first: LocalDate {
        switch span {
        case .day: return last
        case .week: return last.adding(days: -6)
        case .month: return last.adding(days: -29)
        case .year: return months[0]
        }
    }

    var dayCount: Int { Int(last.daysSince1970 - first.daysSince1970) + 1 }

    /// The first of each of the twelve months.
    var months: [LocalDate] {
        var months: [LocalDate] = []
        var year = last.year
        var month = last.month
        for _ in 0..<12 {
            if let first = LocalDate(year: year, month: month, day: 1) { months.insert(first, at: 0) }
            month -= 1
            if month == 0 {
                year = year - 1
                month = 12
            }
        }
        return months
    }

    func query(
        measure: MeasurementSharing.Measure? = nil, span: Span? = nil, last: LocalDate? = nil
    ) -> String {
        let day = (last ?? self.last).text
        return "?type=\((measure ?? self.measure).rawValue)&span=\((span ?? self.span).rawValue)&to=\(day)"
    }
}
