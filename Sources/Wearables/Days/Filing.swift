import Database
import Identity
import Records
import Scheduling
import Web
import Wire

/// Files single values, each into its day, inside a write. The same id again replaces the value. A day that was
/// sent whole without a device's name is not changed: it is complete, and a value corrected into it only leaves the day where
/// it was. One of a named device stays beside them.
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

    private mutating func file(_ places: [Int], _ connection: borrowing Connection) throws {
        try refuseUnlived(places, connection)
        let sent = places.compactMap { values.good[$0] }
        guard let first = sent.first else { return }
        let byDate = Dictionary(grouping: sent, by: \.date)
        let around = byDate.keys.flatMap { date in
            (-Self.daysAround...Self.daysAround).map { date.adding(days: $0) }
        }
        var settlement = Settlement(first.type, Set(sent.map(\.id)))
        for date in Set(around).sorted() {
            let known = try devices.unnamed(day(first, date), connection)
            guard let filed = known.filed else { continue }
            let begin = begin(date, known)
            settlement.open(date, filed, new: (byDate[date] ?? []).map { $0.filed(from: begin) })
        }
        settlement.settle()
        let refused = settlement.refused
        for place in places {
            if let id = values.good[place]?.id, let objection = refused[id] {
                refuse(place, objection, first.type)
            }
        }
        let filed = places.compactMap { values.good[$0] }
        let ids = Set(filed.map(\.id))
        let filedByDate = Dictionary(grouping: filed, by: \.date)
        for date in settlement.dates {
            try keep(filedByDate[date] ?? [], without: ids, in: day(first, date), connection)
        }
    }

    private mutating func refuseUnlived(_ places: [Int], _ connection: borrowing Connection) throws {
        for (date, places) in Dictionary(grouping: places, by: { values.good[$0]?.date }) {
            guard let date else { continue }
            let isLived = try MeasurementDays.isLived(
                date, by: devices.account, devices.keys, at: devices.now, connection)
            if !isLived { for place in places { values.refuse(place, "starts_at", "health.too_old") } }
        }
    }

    private mutating func refuse(
        _ place: Int, _ objection: OpenDay.Objection, _ type: MeasurementType
    ) {
        switch objection {
        case .overlaps: values.refuse(place, "starts_at", "health.overlaps")
        case .tooMany:
            values.refuse(place, nil, "health.too_many", ["n": String(MeasurementDay.sampleLimit)])
        case .impossible: values.refuse(place, "value", "health.impossible", DayDraft.limits(type))
        }
    }

    private func zone(_ known: DeviceDays.Unnamed) -> DeviceZone {
        known.told?.draft.zone ?? DeviceZone(name: devices.account.timezone)
    }

    private func begin(_ date: LocalDate, _ known: DeviceDays.Unnamed) -> Instant {
        Zone(zone(known).name).instant(date, hour: 0, minute: 0)
    }

    /// - Parameter ids: of values that are filed now, here or in another day.
    private mutating func keep(
        _ new: [SingleValue], without ids: Set<String>, in name: DayName, _ connection: borrowing Connection
    ) throws {
        let known = try devices.unnamed(name, connection)
        let before = known.filed ?? []
        let begin = begin(name.date, known)
        let filed = (before.filter { !ids.contains($0.id) } + new.map { $0.filed(from: begin) })
            .sorted { $0.isBefore($1) }
        if filed == before { return }
        days += 1
        guard !filed.isEmpty else { return try devices.remove(name, in: known, connection) }
        if !new.isEmpty { try DeletedDayStore.forget(name, of: devices.account.id, connection) }
        let ends = new.map(\.endsAt) + (known.told.map { [$0.draft.completeUntil] } ?? [])
        let draft = DayDraft(
            type: name.type, date: name.date, source: name.source, device: nil, zone: zone(known),
            completeUntil: min(ends.max() ?? devices.now, devices.now), samples: filed.map(\.sample),
            total: nil)
        try devices.keep(draft, filed: filed, in: known, connection)
    }
}
