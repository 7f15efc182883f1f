import Database
import Identity
import Scheduling
import Web
import Wire
import Wording

// One day: the shape of its series, and each source's data. The only page that opens a series, and just one.
extension HealthReader {
    func day(_ figures: DayFigures, _ connection: borrowing Connection) throws -> Content {
        guard let chosen = figures.days.last else { return Content() }
        let type = figures.type
        let all = try MeasurementDayStore.all(
            type, of: account.id, from: chosen.date, to: chosen.date, connection)
        let samples = try MeasurementDayStore.contents(of: chosen, connection).samples(key)
        var content = Content()
        content.summary = chosen.value.map { words.value($0, type) }
        content.chart = shape(of: chosen, samples)
        content.asOf = asOf(chosen)
        content.differs = chosen.differs ? texts["health.differs"] : nil
        content.rows = all.sorted { $0.source == chosen.source && $1.source != chosen.source }.compactMap {
            row($0, counts: $0.source == chosen.source)
        }
        return content
    }

    private func row(_ day: MeasurementDayRecord, counts: Bool) -> HealthView.Row? {
        day.value.map { value in
            let notes = [
                counts ? nil : texts["health.counts_not"],
                day.differs
                    ? texts["health.single_sum", ["value": words.value(day.sums.sum, day.type)]] : nil,
                day.zones.map(minutes),
            ].compactMap(\.self)
            return HealthView.Row(
                when: words.source(day.source), value: words.value(value, day.type),
                note: notes.joined(separator: " · "),
                removal: isOwn ? "/my/health/days/\(day.name)/removal" : nil)
        }
    }

    /// Sums by the hour, rates by the quarter of an hour. Nil without samples.
    private func shape(of day: MeasurementDayRecord, _ samples: [Sample]) -> HealthChart? {
        let length = DayDraft.length(of: day.date, in: Zone(day.zone.name))
        let slots = DaySlots(
            samples, isSum: day.type.isSum, length: length, width: day.type.isSum ? 3_600 : 900)
        return HealthChart(
            slots.values, goal: nil, areBars: day.type.isSum, words: words.name(choice.measure),
            begin: "00:00", end: "24:00"
        ) { words.value($0, day.type) }
    }
}

/// A series by slots of equal length.
struct DaySlots {
    /// One for each slot; nil without a measurement.
    let values: [Double?]

    /// - Parameters:
    ///   - length: of the day, in seconds.
    ///   - width: of a slot, in seconds.
    init(_ samples: [Sample], isSum: Bool, length: Int, width: Int) {
        let count = (length + width - 1) / width
        var sums = [Double](repeating: 0, count: count)
        var weights = [Double](repeating: 0, count: count)
        for sample in samples {
            // A moment weighs as much as a second.
            let end = max(sample.end, sample.offset + 1)
            for slot in sample.offset / width...max(sample.offset, end - 1) / width where slot < count {
                let part = Double(min(end, (slot + 1) * width) - max(sample.offset, slot * width))
                let share = part / Double(end - sample.offset)
                sums[slot] += isSum ? sample.value * share : sample.value * part
                weights[slot] += part
            }
        }
        values = sums.indices.map { index in
            weights[index] == 0 ? nil : isSum ? sums[index] : sums[index] / weights[index]
        }
    }
}
