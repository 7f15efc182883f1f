import Database
import Identity
import Records
import Web
import Wire
import Wording

/// A day of one type and source, whichever device told it.
package struct DayName: Sendable, Equatable {
    let type: MeasurementType
    let date: LocalDate
    let source: MeasurementSource

    package init(type: MeasurementType, date: LocalDate, source: MeasurementSource) {
        self.type = type
        self.date = date
        self.source = source
    }

    init(_ draft: DayDraft) { self.init(type: draft.type, date: draft.date, source: draft.source) }
    init(_ day: MeasurementDayRecord) { self.init(type: day.type, date: day.date, source: day.source) }
}

/// The days of several devices of one source: each keeps what it told, and one of them counts (RP-105). Lists, figures and exports read
/// the one that counts, in `measurement_days`.
struct DeviceDays {
    let account: AccountRecord
    let key: PersonKey
    let keys: Keyring
    let now: Instant

    /// The mark of the device that counts.
    func mark(of day: MeasurementDayRecord, _ connection: borrowing Connection) throws -> String {
        if let mark = day.deviceMark { return mark }
        return DeviceMark.of(
            try MeasurementDayStore.contents(of: day, connection).device(key), key)
    }

    /// What the device that counts has told.
    private func told(_ day: MeasurementDayRecord, _ connection: borrowing Connection) throws -> ToldDay {
        let contents = try MeasurementDayStore.contents(of: day, connection)
        return ToldDay(
            DayDraft(
                type: day.type, date: day.date, source: day.source, device: try contents.device(key),
                zone: day.zone, completeUntil: day.completeUntil, samples: try contents.samples(key),
                total: day.total),
            filed: try contents.filed(key), receivedAt: day.receivedAt)
    }

    private func deviceDay(
        _ day: MeasurementDayRecord, _ connection: borrowing Connection
    ) throws -> DeviceDay {
        DeviceDay(mark: try mark(of: day, connection), told: try told(day, connection))
    }

    /// What a device told before of a day for which another one counts; nil for none.
    func other(
        _ draft: DayDraft, _ connection: borrowing Connection
    ) throws -> ToldDay? {
        let mark = DeviceMark.of(draft.device, key)
        return try OtherDeviceDayStore.all(DayName(draft), of: account.id, key, connection).first {
            $0.mark == mark
        }?.told
    }

    /// What a device without a name has told of a day, as single values do.
    struct Unnamed {
        /// Nil when it has told nothing.
        let told: ToldDay?
        /// The day that counts; nil where there is none.
        let counting: MeasurementDayRecord?
        /// Whether the day that counts is another device's.
        let isOther: Bool

        /// The single values; nil for a day that was sent whole.
        var filed: [FiledValue]? { told.map(\.filed) ?? [] }
    }

    func unnamed(_ day: DayName, _ connection: borrowing Connection) throws -> Unnamed {
        let counting = try MeasurementDayStore.find(
            day.type, day.date, day.source, of: account.id, connection)
        guard let counting else { return Unnamed(told: nil, counting: nil, isOther: false) }
        if try mark(of: counting, connection).isEmpty {
            return Unnamed(told: try told(counting, connection), counting: counting, isOther: false)
        }
        let others = try OtherDeviceDayStore.all(day, of: account.id, key, connection)
        return Unnamed(told: others.first { $0.mark.isEmpty }?.told, counting: counting, isOther: true)
    }

    /// Stores the single values of a day.
    func keep(
        _ draft: DayDraft, filed: [FiledValue], in known: Unnamed, _ connection: borrowing Connection
    ) throws {
        if known.isOther, let counting = known.counting {
            return try save(
                draft, filed: filed, beside: counting, isFirst: known.told == nil, connection)
        }
        try MeasurementDayStore.save(
            draft, filed: filed, zones: try HeartZones.of(draft, account, keys, connection),
            version: (known.counting?.version ?? 0) + 1, of: account, key, at: now, connection)
        try settle(DayName(draft), connection)
    }

    /// Removes a day that has no single value any more.
    func remove(_ day: DayName, in known: Unnamed, _ connection: borrowing Connection) throws {
        if known.isOther {
            return try OtherDeviceDayStore.remove(day, by: "", of: account.id, connection)
        }
        try MeasurementDayStore.delete(day.type, day.date, day.source, of: account.id, connection)
        try settle(day, connection)
    }

    /// Stores the day of a device beside which another one counts.
    func save(
        _ draft: DayDraft, filed: [FiledValue]? = nil, beside counting: MeasurementDayRecord, isFirst: Bool,
        _ connection: borrowing Connection
    ) throws {
        let new = DeviceDay(
            mark: DeviceMark.of(draft.device, key), told: ToldDay(draft, filed: filed, receivedAt: now))
        let others = try OtherDeviceDayStore.all(DayName(draft), of: account.id, key, connection)
        let present = try deviceDay(counting, connection)
        let known = others.filter { $0.mark != new.mark } + [present]
        // What is new can also bring a third one to the fore, by a figure beside which the present one has lain still.
        guard let best = DeviceChoice.counting(among: known + [new]) else { return }
        if best.mark != new.mark {
            let bytes = try OtherDeviceDayStore.save(new.told, by: new.mark, of: account.id, key, connection)
            try MeasurementIntake.count(
                documents: isFirst ? 1 : 0, bytes: bytes, of: account, at: now, connection)
        }
        if best.mark != present.mark { try count(best, insteadOf: counting, connection) }
    }

    /// After the device that counts has told something else, or less, or nothing any more.
    func settle(_ day: DayName, _ connection: borrowing Connection) throws {
        let others = try OtherDeviceDayStore.all(day, of: account.id, key, connection)
        if others.isEmpty { return }
        let counting = try MeasurementDayStore.find(
            day.type, day.date, day.source, of: account.id, connection)
        let present = try counting.map { try deviceDay($0, connection) }
        let all = others + [present].compactMap(\.self)
        guard let best = DeviceChoice.counting(among: all), best.mark != present?.mark else { return }
        try count(best, insteadOf: counting, connection)
    }

    private func count(
        _ best: DeviceDay, insteadOf counting: MeasurementDayRecord?, _ connection: borrowing Connection
    ) throws {
        let told = best.told
        if let counting {
            try OtherDeviceDayStore.save(
                try self.told(counting, connection), by: try self.mark(of: counting, connection),
                of: account.id, key, connection)
        }
        try OtherDeviceDayStore.remove(DayName(told.draft), by: best.mark, of: account.id, connection)
        try MeasurementDayStore.save(
            told.draft, filed: told.filed, zones: try HeartZones.of(told.draft, account, keys, connection),
            version: (counting?.version ?? 0) + 1, of: account, key, receivedAt: told.receivedAt, at: now,
            connection)
    }
}
