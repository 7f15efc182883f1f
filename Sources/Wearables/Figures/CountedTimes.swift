import Database
import Identity
import Psychometrics
import Records
import Scheduling
import Wire

/// Minutes of sleep or activity, by day. The same time from two sources counts once: of overlapping records a longer one
/// comes before a shorter, so that of a night told in growing pieces the whole counts, and those with known stages
/// come before those with only their time, unless they are no more than a piece of it. Two sleeps of one day
/// without overlap, a night and a nap, both count for that day.
package struct CountedTimes: Sendable {
    /// The records that count.
    let counted: Set<ID<HealthEntry>>
    /// The records that do not, because another covers the same time.
    let overlapped: Set<ID<HealthEntry>>
    let minutes: [LocalDate: Double]
    /// The number that count, by day.
    let numbers: [LocalDate: Int]

    /// - Parameters:
    ///   - times: in the order of their beginnings.
    ///   - kind: a night belongs to the day on which it ends, anything else to the one on which it begins.
    ///   - days: the days to count; nil for all. Records beside them may overlap with records on them.
    init(
        _ times: [HealthRecordTime], _ kind: HealthRecordKind, _ zone: Zone,
        on days: ClosedRange<LocalDate>? = nil
    ) {
        let chosen = Self.withoutOverlaps(times)
        overlapped = Set(times.map(\.id)).subtracting(chosen.map(\.id))
        var minutes: [LocalDate: Double] = [:]
        var numbers: [LocalDate: Int] = [:]
        var counted: Set<ID<HealthEntry>> = []
        for time in chosen {
            let date = LocalTime(kind == .sleep ? time.endsAt : time.startsAt, zone).date
            guard days?.contains(date) ?? true else { continue }
            counted.insert(time.id)
            minutes[date, default: 0] += time.minutes
            numbers[date, default: 0] += 1
        }
        self.counted = counted
        self.minutes = minutes
        self.numbers = numbers
    }

    /// The counted times of some days. Opens nothing.
    static func read(
        _ kind: HealthRecordKind, of account: ID<Account>, on days: ClosedRange<LocalDate>, _ zone: Zone,
        _ connection: borrowing Connection
    ) throws -> CountedTimes {
        let from = zone.instant(days.lowerBound.adding(days: -1), hour: 0, minute: 0)
        let until = zone.instant(days.upperBound.adding(days: 2), hour: 0, minute: 0)
        let all = try HealthRecordStore.times(of: kind, of: account, from: from, until: until, connection)
        return CountedTimes(all, kind, zone, on: days)
    }

    /// The mean of the days that have any; nil without one.
    var mean: Double? { minutes.values.mean }

    var total: Double { minutes.values.reduce(0, +) }

    /// The minutes of the days of each month, by `2026-11`.
    var byMonth: [String: [Double]] {
        Dictionary(grouping: minutes) { String($0.key.text.prefix(7)) }.mapValues { $0.map(\.value) }
    }

    // MARK: Overlaps

    /// The records that count among themselves.
    /// - Parameter records: in the order of their beginnings.
    package static func marked<Value: HealthRecordValue>(
        _ records: [HealthRecord<Value>]
    ) -> [(record: HealthRecord<Value>, counts: Bool)] {
        let times = records.map {
            HealthRecordTime(
                id: $0.id, startsAt: $0.value.startsAt, endsAt: $0.value.endsAt, minutes: $0.value.minutes,
                knowsStages: $0.value.knowsStages)
        }
        let counted = Set(withoutOverlaps(times).map(\.id))
        return records.map { ($0, counted.contains($0.id)) }
    }

    private static func withoutOverlaps(_ times: [HealthRecordTime]) -> [HealthRecordTime] {
        var chosen: [HealthRecordTime] = []
        var group: [HealthRecordTime] = []
        var end = Instant.distantPast
        for time in times {
            if time.startsAt >= end {
                chosen += best(of: group)
                group = []
            }
            group.append(time)
            end = max(end, time.endsAt)
        }
        return chosen + best(of: group)
    }

    /// Of an uninterrupted period.
    private static func best(of group: [HealthRecordTime]) -> [HealthRecordTime] {
        guard group.count > 1 else { return group }
        let longest = chosen(of: group) { _ in true }
        let known = chosen(of: group, first: \.knowsStages)
        // Less than half of the time is a piece of the night, whatever is known of it.
        return known.length * 2 < longest.length ? longest : known
    }

    /// Those without overlap: some before the others, the longer before the shorter.
    private static func chosen(
        of group: [HealthRecordTime], first isFirst: (HealthRecordTime) -> Bool
    ) -> [HealthRecordTime] {
        let ranked = group.sorted { one, other in
            if isFirst(one) != isFirst(other) { return isFirst(one) }
            return (other.length, other.minutes, one.startsAt, one.id.text)
                < (one.length, one.minutes, other.startsAt, other.id.text)
        }
        var chosen: [HealthRecordTime] = []
        for time in ranked
        where chosen.allSatisfy({ time.endsAt <= $0.startsAt || time.startsAt >= $0.endsAt }) {
            chosen.append(time)
        }
        return chosen
    }
}

extension [HealthRecordTime] {
    /// In seconds.
    fileprivate var length: Int64 { reduce(0) { $0 + $1.length } }
}
