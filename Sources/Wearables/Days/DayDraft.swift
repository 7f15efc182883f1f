import JSON
import Scheduling
import Web
import Wire
import Wording

/// A whole day as sent: checked, its sums computed. Made by reading, or from a provider's data.
package struct DayDraft: Sendable {
    package let type: MeasurementType
    package let date: LocalDate
    package let source: MeasurementSource
    package let device: String?
    package let zone: DeviceZone
    package let completeUntil: Instant
    package let samples: [Sample]
    package let total: Double?

    /// Clocks of phones run ahead: up to five minutes in the future count as now.
    static let clockSlack: Int64 = 300
    /// The most seconds by which a place can be ahead of UTC.
    static let farthestEast: Int64 = 14 * 3_600
    /// One on which the clocks go back, in seconds.
    private static let longestDay = 90_000

    package init(
        type: MeasurementType, date: LocalDate, source: MeasurementSource, device: String?, zone: DeviceZone,
        completeUntil: Instant, samples: [Sample], total: Double?
    ) {
        self.type = type
        self.date = date
        self.source = source
        self.device = device
        self.zone = zone
        self.completeUntil = completeUntil
        self.samples = samples
        self.total = total
    }

    /// The first instant of the day, which is not midnight where the clocks change then.
    package var begin: Instant { Zone(zone.name).instant(date, hour: 0, minute: 0) }

    /// In seconds: 82,800 or 90,000 on days on which the clocks change by an hour.
    package static func length(of date: LocalDate, in zone: Zone) -> Int {
        let begin = zone.instant(date, hour: 0, minute: 0)
        return Int(zone.instant(date.adding(days: 1), hour: 0, minute: 0).seconds - begin.seconds)
    }

    /// Ended by the end of a day.
    package static func cut(_ samples: [Sample], to length: Int) -> [Sample] {
        samples.filter { $0.offset < length || $0.offset == 0 }.map {
            Sample($0.offset, min($0.end, length) - $0.offset, $0.value)
        }
    }

    // MARK: Reading

    /// - Parameter home: the account's zone, which counts where the device's is unknown.
    /// - Throws: `Problem.invalid`, `.tooLarge`.
    static func read(
        _ fields: InputReader, type: MeasurementType, date: LocalDate, zone home: String, now: Instant
    ) throws -> DayDraft {
        if date > latestDate(now) { fields.refuse("date", "errors.future") }
        if date < earliestDate(now) { fields.refuse("date", "health.too_old") }
        let source = fields.choice("source", from: MeasurementSource.names, required: true)
        let device = fields.text("device", limit: 120)
        let zone = fields.deviceZone("zone", or: home)
        if zone == nil, !fields.has("zone") { fields.refuse("zone", "errors.required") }
        let until = fields.time("complete_until", required: true)
        if let until, until.seconds > now.seconds + clockSlack {
            fields.refuse("complete_until", "errors.future")
        }
        let list = fields.value("series")
        if list == nil { fields.refuse("series", "errors.required") }
        let length = length(of: date, in: Zone(zone?.name ?? home))
        // When a day of an unknown zone begins and ends is not known.
        let isPlaced = zone?.word == nil
        var samples =
            list.map { series($0, type, dayLength: isPlaced ? length : longestDay, fields) } ?? []
        if !isPlaced { samples = cut(samples, to: length) }
        if let until, let zone, isPlaced {
            let known =
                until.seconds + clockSlack - Zone(zone.name).instant(date, hour: 0, minute: 0).seconds
            // A sample that is not over may go on past it, as phones report by the quarter hour.
            if let index = samples.firstIndex(where: { Int64($0.offset) > known }) {
                fields.refuse("series.\(index)", "health.not_yet")
            }
        }
        let total = total(type, fields)
        if type.isSum, DaySums(samples).sum > type.range.upperBound {
            fields.refuse("series", "health.impossible", limits(type))
        }
        try fields.finish()
        guard let source = source.flatMap(MeasurementSource.init), let zone, let until else {
            throw Problem.invalid(fields.errors)
        }
        // A clock that is ahead must not lock the day against the right time (RP-114).
        return DayDraft(
            type: type, date: date, source: source, device: device, zone: zone,
            completeUntil: min(until, now), samples: samples, total: total)
    }

    static func latestDate(_ now: Instant) -> LocalDate {
        LocalTime(now.adding(seconds: farthestEast), Zone("UTC")).date
    }

    /// Ten years back, from where it is earliest.
    package static func earliestDate(_ now: Instant) -> LocalDate {
        let today = LocalTime(now.adding(seconds: -farthestEast), Zone("UTC")).date
        return today.adding(days: -3_653)
    }

    private static func total(_ type: MeasurementType, _ fields: InputReader) -> Double? {
        guard fields.has("total"), let total = fields.number("total") else { return nil }
        guard type.range.contains(total) else {
            fields.refuse("total", "health.impossible", limits(type))
            return nil
        }
        return total
    }

    static func limits(_ type: MeasurementType) -> [String: String] {
        ["from": String(Int(type.range.lowerBound)), "to": String(Int(type.range.upperBound))]
    }

    /// In order, without overlaps, inside the day. The first error is reported with its place.
    private static func series(
        _ list: JSON, _ type: MeasurementType, dayLength: Int, _ fields: InputReader
    ) -> [Sample] {
        guard let entries = list.array else {
            fields.refuse("series", "health.no_series")
            return []
        }
        guard entries.count <= MeasurementDay.sampleLimit else {
            fields.refuse("series", "health.too_many", ["n": String(MeasurementDay.sampleLimit)])
            return []
        }
        var samples: [Sample] = []
        samples.reserveCapacity(entries.count)
        var end = 0
        for (index, entry) in entries.enumerated() {
            let place = "series.\(index)"
            guard let sample = sample(entry) else {
                fields.refuse(place, "health.no_sample")
                return []
            }
            // Each is checked first: the sum of two enormous numbers overflows.
            guard (0...dayLength).contains(sample.offset), (0...dayLength).contains(sample.length),
                sample.end <= dayLength
            else {
                fields.refuse(place, "health.outside_day", ["n": String(dayLength)])
                return []
            }
            guard sample.offset >= end else {
                fields.refuse(place, "health.overlap")
                return []
            }
            guard type.range.contains(sample.value) else {
                fields.refuse(place, "health.impossible", limits(type))
                return []
            }
            end = sample.end
            samples.append(sample)
        }
        return samples
    }

    private static func sample(_ entry: JSON) -> Sample? {
        guard let numbers = entry.array, numbers.count == 3,
            let offset = whole(numbers[0]), let length = whole(numbers[1]),
            let value = numbers[2].number, value.isFinite
        else { return nil }
        return Sample(offset, length, value)
    }

    private static func whole(_ json: JSON) -> Int? { json.number.flatMap { Int(exactly: $0) } }
}

package struct DaySums: Sendable, Equatable {
    package let n: Int
    package let sum: Double
    package let low: Double?
    package let high: Double?

    package init(_ samples: [Sample]) {
        n = samples.count
        // To a thousandth, as values are stored: so tenths add up exactly.
        sum = (samples.reduce(0) { $0 + $1.value } * 1_000).rounded() / 1_000
        low = samples.map(\.value).min()
        high = samples.map(\.value).max()
    }
}
