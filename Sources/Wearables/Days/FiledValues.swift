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

    static let limit = 2_000

    /// Reads a list; every error is reported with its place.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, _ zone: Zone, now: Instant) throws -> [SingleValue] {
        guard let items = fields.value("items")?.array else {
            throw Problem.invalid("items", "errors.required")
        }
        guard items.count <= limit else {
            throw Problem.invalid("items", "health.too_many", ["n": String(limit)])
        }
        var values: [SingleValue] = []
        var errors = FieldErrors()
        for (index, item) in items.enumerated() {
            let inner = InputReader(json: item, prefix: "items.\(index).")
            if let value = read(one: inner, zone, now: now) { values.append(value) }
            errors.add(inner.errors)
        }
        fields.refuse(errors)
        try fields.finish()
        return values
    }

    private static func read(one fields: InputReader, _ zone: Zone, now: Instant) -> SingleValue? {
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

extension MeasurementDays {
    /// Files single values, each into its day, inside a write. The same id again replaces the value. A day that was
    /// sent whole without a device's name is not changed: it is complete. One of a named device stays beside them.
    /// - Returns: how many days changed.
    /// - Throws: `Problem.invalid` for values of one source that overlap, or whose sum is impossible.
    static func file(
        _ values: [SingleValue], of account: AccountRecord, _ keys: Keyring, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Int {
        let devices = DeviceDays(account: account, key: try account.key(keys), keys: keys, now: now)
        let values = try placed(values, of: account, connection)
        // Of an id that comes twice in one call the last value counts.
        let last = Dictionary(values.indices.map { (values[$0].id, $0) }, uniquingKeysWith: max)
        var changed = try takeAway(values, devices, connection)
        let days = Dictionary(grouping: values.indices.filter { last[values[$0].id] == $0 }) { index in
            "\(values[index].type.rawValue)/\(values[index].date.text)/\(values[index].source.rawValue)"
        }
        for name in days.keys.sorted() {
            let indices = days[name] ?? []
            let first = values[indices[0]]
            let day = DayName(type: first.type, date: first.date, source: first.source)
            let known = try devices.unnamed(day, connection)
            let before = known.told?.filed ?? []
            if known.told != nil, before.isEmpty { continue }
            guard try isLived(first.date, by: account, keys, at: now, connection) else {
                throw Problem.invalid("items.\(indices[0]).starts_at", "health.too_old")
            }
            try DeletedDayStore.forget(day, of: account.id, connection)
            let zone = known.told?.draft.zone ?? DeviceZone(name: account.timezone)
            let begin = Zone(zone.name).instant(first.date, hour: 0, minute: 0)
            let filed = try merged(before, indices.map { ($0, values[$0].filed(from: begin)) })
            if filed == before { continue }
            let ends = indices.map { values[$0].endsAt } + (known.told.map { [$0.draft.completeUntil] } ?? [])
            let draft = DayDraft(
                type: first.type, date: first.date, source: first.source, device: nil,
                zone: zone, completeUntil: min(ends.max() ?? now, now),
                samples: filed.map(\.sample), total: nil)
            if first.type.isSum, DaySums(draft.samples).sum > first.type.range.upperBound {
                throw Problem.invalid(
                    "items.\(indices[0]).value", "health.impossible", DayDraft.limits(first.type))
            }
            try devices.keep(draft, filed: filed, in: known, connection)
            changed += 1
        }
        return changed
    }

    /// Each value in its day. A day keeps the zone in which it began: after travelling west it is longer, and after
    /// travelling east a value before its begin belongs to the day before.
    private static func placed(
        _ values: [SingleValue], of account: AccountRecord, _ connection: borrowing Connection
    ) throws -> [SingleValue] {
        var zones: [String: String?] = [:]
        return try values.map { value in
            let day = "\(value.type.rawValue)/\(value.date.text)/\(value.source.rawValue)"
            if zones[day] == nil {
                let known = try MeasurementDayStore.find(
                    value.type, value.date, value.source, of: account.id, connection)
                zones.updateValue(known?.zone.name, forKey: day)
            }
            guard let zone = zones[day] ?? nil, zone != account.timezone,
                value.startsAt < Zone(zone).instant(value.date, hour: 0, minute: 0)
            else { return value }
            return value.moved(to: value.date.adding(days: -1))
        }
    }

    /// A moved value is searched within so many days: zones are corrected, and clocks.
    private static let daysAround = 2

    /// Removes a value whose time was corrected into another day from its former one.
    /// - Returns: how many days changed.
    private static func takeAway(
        _ values: [SingleValue], _ devices: DeviceDays, _ connection: borrowing Connection
    ) throws -> Int {
        var changed = 0
        for (_, group) in Dictionary(grouping: values, by: { "\($0.type.rawValue) \($0.source.rawValue)" }) {
            let dates = Dictionary(group.map { ($0.id, $0.date) }, uniquingKeysWith: { $1 })
            let around = Set(
                dates.values.flatMap { date in
                    (-daysAround...daysAround).map { date.adding(days: $0) }
                })
            for date in around.sorted() {
                let day = DayName(type: group[0].type, date: date, source: group[0].source)
                let known = try devices.unnamed(day, connection)
                guard let told = known.told, let before = told.filed else { continue }
                let left = before.filter { (dates[$0.id] ?? date) == date }
                if left.count == before.count { continue }
                changed += 1
                guard !left.isEmpty else {
                    try devices.remove(day, in: known, connection)
                    continue
                }
                let draft = DayDraft(
                    type: day.type, date: date, source: day.source, device: nil, zone: told.draft.zone,
                    completeUntil: told.draft.completeUntil, samples: left.map(\.sample), total: nil)
                try devices.keep(draft, filed: left, in: known, connection)
            }
        }
        return changed
    }

    private static func merged(
        _ before: [FiledValue], _ new: [(index: Int, value: FiledValue)]
    ) throws -> [FiledValue] {
        var byID = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var places: [String: Int] = [:]
        for (index, value) in new {
            byID[value.id] = value
            places[value.id] = index
        }
        let all = byID.values.sorted { ($0.offset, $0.length, $0.id) < ($1.offset, $1.length, $1.id) }
        guard all.count <= MeasurementDay.sampleLimit else {
            throw Problem.invalid("items", "health.too_many", ["n": String(MeasurementDay.sampleLimit)])
        }
        for (earlier, later) in zip(all, all.dropFirst()) where later.offset < earlier.offset + earlier.length
        {
            let place = places[later.id] ?? places[earlier.id] ?? 0
            throw Problem.invalid("items.\(place).starts_at", "health.overlap")
        }
        return all
    }
}
