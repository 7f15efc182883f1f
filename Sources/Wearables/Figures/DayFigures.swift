import Database
import Identity
import Psychometrics
import Records
import Web
import Wire

/// Daily figures of one type, and their means by month. Nothing here opens a series.
package struct DayFigures: Sendable {
    package let type: MeasurementType
    /// The chosen day of each date with a figure, the earliest first.
    package let days: [MeasurementDayRecord]
    /// The days that means are computed from.
    package let whole: [MeasurementDayRecord]

    /// - Parameter today: in the person's zone. The sum of a day that is not over would lower every mean, and counts
    ///   only without any other; nil: every day counts, as calls promise.
    package init(_ type: MeasurementType, _ days: [MeasurementDayRecord], today: LocalDate?) {
        self.type = type
        let told = days.filter { $0.value != nil }
        let over = told.filter { day in today.map { day.date < $0 } ?? true }
        self.days = told
        whole = type.isSum && !over.isEmpty ? over : told
    }

    package var values: [Double] { whole.compactMap(\.value) }

    /// The mean of the days that have a figure; nil without one.
    package var mean: Double? { values.mean }

    /// By day, as on the wire.
    package var daily: [Measurement] { Self.daily(days, type) }

    private static func daily(_ days: [MeasurementDayRecord], _ type: MeasurementType) -> [Measurement] {
        days.compactMap { day in
            day.value.map {
                Measurement(type: type, date: day.date, value: $0, days: 1, source: day.source)
            }
        }
    }

    /// The mean of each month's daily figures; a month without any is left out.
    package var monthly: [Measurement] {
        let byMonth = Dictionary(grouping: Self.daily(whole, type)) { String($0.date.text.prefix(7)) }
        return byMonth.keys.sorted().compactMap { month in
            let days = byMonth[month] ?? []
            guard let first = LocalDate(month + "-01"), let mean = days.map(\.value).mean else { return nil }
            let sources = Set(days.map(\.source))
            return Measurement(
                type: type, date: first, value: mean, days: days.count,
                source: sources.count == 1 ? days[0].source : nil)
        }
    }
}
