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

    /// Where a moment lies; outside of the axis at its ends.
    func x(_ at: Instant) -> Double {
        let share = Double(at.seconds - from.seconds) / Double(to.seconds - from.seconds)
        return min(1, max(0, share)) * Self.width
    }

    /// The same for what is drawn beside the stretched part, so that letters keep their shape: `37.5%`.
    func percent(_ at: Instant) -> String {
        let tenths = Int((x(at)).rounded())
        return "\(tenths / 10).\(tenths % 10)%"
    }

    var days: Double { Double(to.seconds - from.seconds) / 86_400 }
}

/// Days, weeks or months, so that a table and bars stay readable however long the time is.
struct Buckets: Sendable {
    enum Unit: String, Sendable { case day, week, month }

    let unit: Unit
    private let zone: Zone
    /// Where the buckets of the axis begin: thousands of moments are sorted into a hundred of them.
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

    /// The first day of the bucket that a moment of the axis lies in: weeks begin on Monday.
    func begin(of at: Instant) -> LocalDate {
        var low = 0
        var high = edges.count
        while low < high {
            let middle = (low + high) / 2
            if edges[middle].at <= at { low = middle + 1 } else { high = middle }
        }
        return edges[max(0, low - 1)].begin
    }

    private func begin(of day: LocalDate) -> LocalDate {
        switch unit {
        case .day: day
        case .week: day.adding(days: 1 - day.weekday)
        case .month: LocalDate(year: day.year, month: day.month, day: 1) ?? day
        }
    }

    /// From when to when a bucket goes.
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
