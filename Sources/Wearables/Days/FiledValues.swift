import Database
import HTTP
import Identity
import JSON
import Records
import Scheduling
import Web
import Wire
import Wording

/// A single value as sent, inside the day it was filed into.
struct FiledValue: Codable, Sendable, Equatable {
    let id: String
    let offset: Int
    let length: Int
    let value: Double

    var sample: Sample { Sample(offset, length, value) }
}

/// A value sent singly: it is filed into the day on which it begins, in the zone of the account.
struct SingleValue: Sendable {
    let id: String
    let type: MeasurementType
    let source: MeasurementSource
    let startsAt: Instant
    let endsAt: Instant
    let date: LocalDate
    /// In seconds. A value past midnight belongs to the day on which it began.
    let length: Int
    let value: Double

    func filed(from begin: Instant) -> FiledValue {
        FiledValue(id: id, offset: Int(startsAt.seconds - begin.seconds), length: length, value: value)
    }

    /// Notes in the reader what is wrong with it.
    /// - Returns: nil for one that is refused.
    static func read(_ fields: InputReader, _ zone: Zone, now: Instant) -> SingleValue? {
        let id: ID<SingleValue>? = fields.id("id", required: true)
        let type = fields.choice("type", from: MeasurementType.names, required: true)
            .flatMap(MeasurementType.init)
        let source = fields.choice("source", from: MeasurementSource.names, required: true)
            .flatMap(MeasurementSource.init)
        let begin = fields.time("starts_at", required: true)
        let end = fields.time("ends_at", required: true)
        let number = fields.number("value")
        if number == nil, fields.errors.isEmpty { fields.refuse("value", "errors.required") }
        guard let id, let type, let source, let begin, let end, let number else { return nil }
        if end < begin { fields.refuse("ends_at", "health.order") }
        if end.seconds > now.seconds + DayDraft.clockSlack { fields.refuse("ends_at", "errors.future") }
        if !type.range.contains(number) {
            fields.refuse("value", "health.impossible", DayDraft.limits(type))
        }
        let date = LocalTime(begin, zone).date
        // A day on which the clocks are set back is longer (RP-113).
        if end.seconds - begin.seconds > max(86_400, Int64(DayDraft.length(of: date, in: zone))) {
            fields.refuse("ends_at", "health.longer_than_a_day")
        }
        guard fields.errors.isEmpty else { return nil }
        if date < DayDraft.earliestDate(now) {
            fields.refuse("starts_at", "health.too_old")
            return nil
        }
        let midnight = zone.instant(date.adding(days: 1), hour: 0, minute: 0)
        return SingleValue(
            id: id.text, type: type, source: source, startsAt: begin, endsAt: end, date: date,
            length: Int(min(end.seconds, midnight.seconds) - begin.seconds), value: number)
    }

    /// The same in another day.
    func moved(to date: LocalDate) -> SingleValue {
        SingleValue(
            id: id, type: type, source: source, startsAt: startsAt, endsAt: endsAt, date: date,
            length: length, value: value)
    }
}
