import Scheduling
import Wire

/// Time from left to right, over a thousand units; the page stretches them to its width.
struct TimeAxis: Sendable, Equatable {
    static let width = 1000.0

    let from: Instant
    let to: Instant

    /// - Parameter to: after `from`, else a day is shown.
    init(from: Instant, to: Instant) {
        self.from = from
        self.to = to > from ? to : from.adding(days: 1)
    }

    func holds(_ at: Instant) -> Bool { at >= from && at <= to }

    /// The position of a moment, limited to the ends of the axis.
    func x(_ at: Instant) -> Double {
        let share = Double(at.seconds - from.seconds) / Double(to.seconds - from.seconds)
        return min(1, max(0, share)) * Self.width
    }

    /// The same for parts outside of the stretched drawing, so that letters keep their shape: `37.5%`.
    func percent(_ at: Instant) -> String {
        let tenths = Int((x(at)).rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }

    var days: Double { Double(to.seconds - from.seconds) / 86_400 }
}

/// Days, weeks or months, so that a table and bars stay readable over any length of time.
struct Buckets: Sendable {
    enum Unit: String, Sendable { case day, week, month }

    let unit: Unit
    private let zone: Zone
    /// The begins of the axis's buckets: thousands of moments are sorted into a hundred of them.
    private var edges: [(at: Instant, begin: LocalDate)] = []

    init(_ axis: TimeAxis, _ zone: Zone) {
        self.zone = zone
        unit = axis.days <= 100 ? .day : axis.days <= 800 ? .week : .month
        var day = begin(of: LocalTime(axis.from, zone).date)
        while true {
            let (from, to) = span(day)
            edges.append((from, day))
            if to > axis.to { break }
            day = LocalTime(to, zone).date
        }
    }

    /// The first day of a moment's bucket: weeks begin on Monday.
    func begin(of at: Instant) -> LocalDate {
        edges[max(0, edges.partitioningIndex { $0.at > at } - 1)].begin
    }

    private func begin(of day: LocalDate) -> LocalDate {
        switch unit {
        case .day: day
        case .week: day.adding(days: 1 - day.weekday)
        case .month: LocalDate(year: day.year, month: day.month, day: 1) ?? day
        }
    }

    /// The time of a bucket.
    func span(_ begin: LocalDate) -> (from: Instant, to: Instant) {
        let next: LocalDate
        switch unit {
        case .day: next = begin.adding(days: 1)
        case .week: next = begin.adding(days: 7)
        case .month: next = self.begin(of: begin.adding(days: 31))
        }
        return (zone.instant(begin, hour: 0, minute: 0), zone.instant(next, hour: 0, minute: 0))
    }
}
