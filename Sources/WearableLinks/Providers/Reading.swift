import JSON
import Psychometrics
import Scheduling
import Wearables
import Wire

/// Common parts of reading all providers' answers: numbers, moments, and the values of a day.
enum Reading {
    /// The most samples read from one provider: 30 days of a strap every five seconds.
    static let mostSamples = 600_000
    static let mostSleeps = 400
    /// The most pages, for providers that never reach an end.
    static let mostPages = 60

    /// Numbers of 64 bits come as text.
    static func number(_ json: JSON?) -> Double? {
        let value = json?.number ?? json?.string.flatMap(Double.init)
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    static func time(_ json: JSON?) -> Instant? { json?.string.flatMap { Instant($0) } }

    static func inRange(_ value: Double, _ type: MeasurementType) -> Double? {
        type.range.contains(value) ? value : nil
    }

    /// The local date of a moment, and the seconds since its first instant.
    static func place(_ at: Instant, _ window: LinkWindow) -> (LocalDate, Int)? {
        guard at >= window.begin, at < window.end else { return nil }
        let date = LocalTime(at, window.zone).date
        return (date, Int(at.seconds - window.zone.instant(date, hour: 0, minute: 0).seconds))
    }

    /// A value of a document, within its possible range.
    static func number(_ json: JSON?, in range: ClosedRange<Double>) -> Double? {
        number(json).flatMap { range.contains($0) ? $0 : nil }
    }

    // MARK: Days

    /// Every date of the window, also dates without data: one value each, as the provider adds it up.
    static func days(
        _ type: MeasurementType, _ dates: [LocalDate], _ values: [LocalDate: Double]
    ) -> FetchedWindow {
        FetchedWindow(
            days: dates.map { date in
                let value = values[date].flatMap { inRange($0, type) }
                // A sum is the day's total; any other value is the day's one measurement.
                let samples = type.isSum ? [] : value.map { [Sample(0, 0, $0)] } ?? []
                return FetchedDay(
                    type: type, date: date, samples: samples, total: type.isSum ? value : nil)
            })
    }

    /// A plausible sleep that is over; nil for any other.
    static func sleep(from begin: Instant?, until end: Instant?, now: Instant) -> Sleep? {
        guard let begin, let end, end <= now, end.seconds - begin.seconds >= Sleep.shortest,
            end.seconds - begin.seconds <= Sleep.longest
        else { return nil }
        return Sleep(
            startsAt: Instant(milliseconds: begin.seconds * 1_000),
            endsAt: Instant(milliseconds: end.seconds * 1_000), origin: "measured")
    }

    /// Per cent of the time in bed.
    /// - Parameter asleep: in seconds.
    static func efficiency(of asleep: Double, in sleep: Sleep) -> Double {
        let inBed = Double(sleep.endsAt.seconds - sleep.startsAt.seconds)
        return min(100, (asleep / inBed * 1_000).rounded() / 10)
    }

    /// Of seconds.
    static func minutes(_ json: JSON?) -> Int? {
        number(json, in: 0...86_400).map { Int(($0 / 60).rounded()) }
    }

    // MARK: Series

    /// In order, without overlaps and impossible values; means of a minute where there is more than a day holds.
    static func tidy(_ samples: [Sample], _ type: MeasurementType) -> [Sample] {
        var tidy: [Sample] = []
        let limit = DayLimit.longest
        for sample in samples.sorted(by: { ($0.offset, $0.end) < ($1.offset, $1.end) }) {
            let begin = max(sample.offset, tidy.last?.end ?? 0)
            // The same moment twice is the same measurement, reported by two devices.
            if let last = tidy.last, last.offset == sample.offset { continue }
            guard type.range.contains(sample.value), sample.end >= begin else { continue }
            let end = min(sample.end, limit)
            if begin > sample.offset, end == begin { continue }
            // A sum is reduced in proportion to the time that is cut off.
            let share = type.isSum && sample.length > 0 ? Double(end - begin) / Double(sample.length) : 1
            tidy.append(Sample(begin, end - begin, sample.value * share))
        }
        if type == .heartRate { tidy = tidy.lasting }
        guard tidy.count > MeasurementDay.sampleLimit else { return tidy }
        let minutes = Dictionary(grouping: tidy) { $0.offset / 60 }
        return minutes.keys.sorted().map { minute in
            let values = (minutes[minute] ?? []).map(\.value)
            return Sample(minute * 60, 60, type.isSum ? values.reduce(0, +) : values.mean ?? 0)
        }
    }

    private enum DayLimit {
        /// A day on which the clocks are set back, in seconds; parts past midnight are cut when it is filed.
        static let longest = 90_000
    }
}

/// Totals in documents of days, several types at once.
struct DayTotals {
    /// The member of a document that holds a type.
    typealias Member = (type: MeasurementType, name: String)
    private let members: [Member]
    private var values: [MeasurementType: [LocalDate: (value: Double, isMain: Bool)]] = [:]

    init(_ members: [Member]) { self.members = members }

    /// Of two documents of a date that of the main device counts, else the larger value: a second device carried beside it
    /// tells of the same steps, or of fewer (RP-108).
    mutating func add(_ document: JSON, of date: LocalDate, isMain: Bool = false) {
        for member in members {
            guard let value = Reading.number(document[member.name], in: member.type.range) else { continue }
            let known = values[member.type]?[date]
            if let known, (known.isMain ? 1 : 0, known.value) >= (isMain ? 1 : 0, value) { continue }
            values[member.type, default: [:]][date] = (value, isMain)
        }
    }

    func fetched(_ dates: [LocalDate]) -> FetchedWindow {
        FetchedWindow(
            days: members.flatMap {
                Reading.days($0.type, dates, (values[$0.type] ?? [:]).mapValues(\.value)).days
            })
    }
}

/// Heart rates of a window, by day.
struct Beats {
    private let window: LinkWindow
    private var samples: [LocalDate: [Sample]] = [:]
    private var count = 0

    init(_ window: LinkWindow) { self.window = window }

    /// Data outside of the window is ignored.
    /// - Throws: `LinkFault.endless` for more samples than possible.
    mutating func add(_ rate: Double?, at moment: Instant?) throws {
        guard let rate, let moment, let (date, offset) = Reading.place(moment, window) else { return }
        count += 1
        guard count <= Reading.mostSamples else { throw LinkFault.endless }
        samples[date, default: []].append(Sample(offset, 0, rate))
    }

    var fetched: FetchedWindow {
        FetchedWindow(
            days: window.dates.map { date in
                FetchedDay(
                    type: .heartRate, date: date, samples: Reading.tidy(samples[date] ?? [], .heartRate),
                    total: nil)
            })
    }
}
