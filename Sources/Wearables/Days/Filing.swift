import Database
import Identity
import Records
import Scheduling
import Web
import Wire

/// Files single values, each into its day, inside a write. The same id again replaces the value. A day that was
/// sent whole without a device's name is not changed: it is complete. One of a named device stays beside them.
///
/// A value that cannot be is refused for itself (RP-113). Where it would have corrected another one, that one stays.
struct Filing {
    private(set) var values: SentValues
    /// How many days changed.
    private(set) var days = 0
    private let devices: DeviceDays

    /// - Throws: `Problem.invalid` where no value is good.
    init(
        _ values: SentValues, of account: AccountRecord, _ keys: Keyring, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        self.values = values
        devices = DeviceDays(account: account, key: try account.key(keys), keys: keys, now: now)
        try place(connection)
        let series = Dictionary(grouping: self.values.good.keys.sorted()) { place in
            self.values.good[place].map { "\($0.type.rawValue)/\($0.source.rawValue)" }
        }
        for name in series.keys.sorted(by: { ($0 ?? "") < ($1 ?? "") }) {
            try file(series[name] ?? [], connection)
        }
        try self.values.check()
    }

    private func day(_ value: SingleValue, _ date: LocalDate) -> DayName {
        DayName(type: value.type, date: date, source: value.source)
    }

    /// Each value in its day. A day keeps the zone in which it began: after travelling west it is longer, and after
    /// travelling east a value before its begin belongs to the day before.
    private mutating func place(_ connection: borrowing Connection) throws {
        var zones: [String: String?] = [:]
        for (place, value) in values.good.sorted(by: { $0.key < $1.key }) {
            let day = "\(value.type.rawValue)/\(value.date.text)/\(value.source.rawValue)"
            if zones[day] == nil {
                let known = try MeasurementDayStore.find(
                    value.type, value.date, value.source, of: devices.account.id, connection)
                zones.updateValue(known?.zone.name, forKey: day)
            }
            guard let zone = zones[day] ?? nil, zone != devices.account.timezone,
                value.startsAt < Zone(zone).instant(value.date, hour: 0, minute: 0)
            else { continue }
            values.change(place, to: value.moved(to: value.date.adding(days: -1)))
        }
    }

    // MARK: One type of one source

    /// A corrected time is searched within so many days: zones are corrected, and clocks.
    private static let daysAround = 2

    /// Days between which values move are filed together, each other one alone.
    private mutating func file(_ places: [Int], _ connection: borrowing Connection) throws {
        let new = places.compactMap { values.good[$0] }
        guard let first = new.first else { return }
        let dates = Dictionary(new.map { ($0.id, $0.date) }, uniquingKeysWith: { $1 })
        let around = Set(
            dates.values.flatMap { date in
                (-Self.daysAround...Self.daysAround).map { date.adding(days: $0) }
            })
        var linked: Set<LocalDate> = []
        for date in around.sorted() {
            let known = try devices.unnamed(day(first, date), connection).told?.filed ?? []
            for to in known.compactMap({ dates[$0.id] }) where to != date { linked.formUnion([date, to]) }
        }
        let alone = Set(dates.values).subtracting(linked).sorted().map { [$0] }
        for group in alone + [linked.sorted()] where !group.isEmpty {
            let inside = Dictionary(
                grouping: places.filter { values.good[$0].map { group.contains($0.date) } ?? false }
            ) { values.good[$0]?.date }
            var days: [OpenDay] = []
            for date in group {
                let known = try devices.unnamed(day(first, date), connection)
                let open = OpenDay(day(first, date), known, inside[date] ?? [], devices.account)
                if let open { days.append(open) }
            }
            try file(days, connection)
        }
    }

    private mutating func file(_ days: [OpenDay], _ connection: borrowing Connection) throws {
        for day in days where !day.places.isEmpty {
            let isLived = try MeasurementDays.isLived(
                day.name.date, by: devices.account, devices.keys, at: devices.now, connection)
            if !isLived { for place in day.places { values.refuse(place, "starts_at", "health.too_old") } }
        }
        for (day, filed) in zip(days, settled(days)) where filed != day.before {
            try keep(filed, in: day, connection)
        }
    }

    /// Corrections that take one another's place are tried so often.
    private static let rounds = 8

    /// What is filed in each day once nothing contradicts anything.
    private mutating func settled(_ days: [OpenDay]) -> [[FiledValue]] {
        let corrected = Set(days.flatMap { $0.before.map(\.id) })
        var round = 0
        while true {
            let remaining = values.good.count
            let new = days.map { $0.places.filter { values.good[$0] != nil } }
            if round == Self.rounds {
                for place in new.joined() where corrected.contains(values.good[place]?.id ?? "") {
                    values.refuse(place, "starts_at", "health.overlaps")
                }
            }
            let ids = Set(new.joined().compactMap { values.good[$0]?.id })
            let filed = days.map { $0.merged(&values, without: ids) }
            if values.good.count == remaining { return filed }
            round += 1
        }
    }

    private mutating func keep(
        _ filed: [FiledValue], in day: OpenDay, _ connection: borrowing Connection
    ) throws {
        days += 1
        guard !filed.isEmpty else { return try devices.remove(day.name, in: day.known, connection) }
        let new = day.places.compactMap { values.good[$0]?.endsAt }
        if !new.isEmpty { try DeletedDayStore.forget(day.name, of: devices.account.id, connection) }
        let ends = new + (day.known.told.map { [$0.draft.completeUntil] } ?? [])
        let draft = DayDraft(
            type: day.name.type, date: day.name.date, source: day.name.source, device: nil, zone: day.zone,
            completeUntil: min(ends.max() ?? devices.now, devices.now), samples: filed.map(\.sample),
            total: nil)
        try devices.keep(draft, filed: filed, in: day.known, connection)
    }
}

/// A day of single values, and the places of those that come into it.
private struct OpenDay {
    let name: DayName
    let known: DeviceDays.Unnamed
    let places: [Int]
    let zone: DeviceZone
    let before: [FiledValue]
    private let begin: Instant

    /// Nil for a day that was sent whole.
    init?(_ name: DayName, _ known: DeviceDays.Unnamed, _ places: [Int], _ account: AccountRecord) {
        before = known.told?.filed ?? []
        if known.told != nil, before.isEmpty { return nil }
        self.name = name
        self.known = known
        self.places = places
        zone = known.told?.draft.zone ?? DeviceZone(name: account.timezone)
        begin = Zone(zone.name).instant(name.date, hour: 0, minute: 0)
    }

    private struct Entry {
        /// Nil for a value that is known.
        let place: Int?
        let value: FiledValue
        var end: Int { value.offset + value.length }
    }

    /// Known values and new ones, as many as go together; refuses the rest.
    /// - Parameter ids: of known values that are corrected, or move into another day.
    func merged(_ values: inout SentValues, without ids: Set<String>) -> [FiledValue] {
        var all = before.filter { !ids.contains($0.id) }.map { Entry(place: nil, value: $0) }
        for place in places {
            if let value = values.good[place] {
                all.append(Entry(place: place, value: value.filed(from: begin)))
            }
        }
        all.sort {
            ($0.value.offset, $0.value.length, $0.value.id) < ($1.value.offset, $1.value.length, $1.value.id)
        }
        var kept = apart(all, &values)
        while kept.count > MeasurementDay.sampleLimit, let last = kept.lastIndex(where: { $0.place != nil }) {
            refuse(
                kept.remove(at: last), &values, nil, "health.too_many",
                ["n": String(MeasurementDay.sampleLimit)])
        }
        while name.type.isSum, DaySums(kept.map(\.value.sample)).sum > name.type.range.upperBound,
            let largest = kept.indices.filter({ kept[$0].place != nil })
                .max(by: { kept[$0].value.value < kept[$1].value.value })
        {
            refuse(
                kept.remove(at: largest), &values, "value", "health.impossible", DayDraft.limits(name.type))
        }
        return kept.map(\.value)
    }

    /// Of two that overlap the known one stays; of two new ones the one that ends first, so that one long value does not
    /// take many short ones along.
    private func apart(_ sorted: [Entry], _ values: inout SentValues) -> [Entry] {
        var kept: [Entry] = []
        for entry in sorted {
            guard let last = kept.last, entry.value.offset < last.end else {
                kept.append(entry)
                continue
            }
            if last.place != nil, entry.place == nil || entry.end < last.end {
                refuse(last, &values, "starts_at", "health.overlaps")
                kept[kept.count - 1] = entry
            } else if entry.place != nil {
                refuse(entry, &values, "starts_at", "health.overlaps")
            } else {
                kept.append(entry)
            }
        }
        return kept
    }

    private func refuse(
        _ entry: Entry, _ values: inout SentValues, _ field: String?, _ key: String,
        _ limits: [String: String] = [:]
    ) {
        if let place = entry.place { values.refuse(place, field, key, limits) }
    }
}
