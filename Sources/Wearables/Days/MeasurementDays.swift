import Database
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Stores every measured day, from phones, forms and providers, and chooses the one that counts.
package enum MeasurementDays {
    package enum Outcome: Sendable {
        case made, replaced, unchanged
    }

    /// Stores a day inside a write. It replaces the present one, unless that is known until later.
    /// - Parameter check: gets the present revision, nil for none; throws when the change is based on another.
    /// - Throws: `Problem.conflict` for a day that is known until later already.
    @discardableResult
    package static func take(
        _ draft: DayDraft, of account: AccountRecord, _ keys: Keyring, at now: Instant,
        _ connection: borrowing Connection, check: (Int?) throws -> Void = { _ in }
    ) throws -> Outcome {
        let counting = try MeasurementDayStore.find(
            draft.type, draft.date, draft.source, of: account.id, connection)
        let devices = DeviceDays(account: account, key: try account.key(keys), keys: keys, now: now)
        // A repeated day is harmless, whatever state it was based on.
        let state = try state(draft, beside: counting, devices, connection)
        if state == .same { return .unchanged }
        try check(counting?.revision)
        guard try isLived(draft.date, by: account, keys, at: now, connection) else {
            throw Problem.invalid("date", "health.too_old")
        }
        switch state {
        case .newer: throw Problem.conflict(Message("health.older"))
        case .ofOther(let isFirst):
            guard let counting else { break }
            try devices.save(draft, beside: counting, isFirst: isFirst, connection)
            return .replaced
        case .own, .same: break
        }
        try MeasurementDayStore.save(
            draft, filed: nil, zones: try HeartZones.of(draft, account, keys, connection),
            version: (counting?.version ?? 0) + 1, of: account, devices.key, at: now, connection)
        try devices.settle(DayName(draft), connection)
        return counting == nil ? .made : .replaced
    }

    /// What is known of a day, seen from a device that tells it.
    private enum State: Equatable {
        case same
        /// This device has told until later.
        case newer
        /// It is the device that counts, or the first one.
        case own
        /// Another device counts.
        case ofOther(isFirst: Bool)
    }

    private static func state(
        _ draft: DayDraft, beside counting: MeasurementDayRecord?, _ devices: DeviceDays,
        _ connection: borrowing Connection
    ) throws -> State {
        guard let counting else { return .own }
        if try devices.mark(of: counting, connection) == DeviceMark.of(draft.device, devices.key) {
            if try says(counting, theSameAs: draft, devices.key, connection) { return .same }
            return draft.completeUntil < counting.completeUntil ? .newer : .own
        }
        guard let other = try devices.other(draft, connection) else { return .ofOther(isFirst: true) }
        if other.says(draft) { return .same }
        return draft.completeUntil < other.draft.completeUntil ? .newer : .ofOther(isFirst: false)
    }

    /// Whether a device has told this already.
    static func knows(
        _ draft: DayDraft, of account: AccountRecord, _ keys: Keyring, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        let counting = try MeasurementDayStore.find(
            draft.type, draft.date, draft.source, of: account.id, connection)
        let devices = DeviceDays(account: account, key: try account.key(keys), keys: keys, now: now)
        return try state(draft, beside: counting, devices, connection) == .same
    }

    /// A date of the last month is plausible for everyone: the age need not be looked up.
    private static let recentDays = 31

    /// Whether a date is within ten years, and within the person's life where the birth is known.
    package static func isLived(
        _ date: LocalDate, by account: AccountRecord, _ keys: Keyring, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        if date < DayDraft.earliestDate(now) { return false }
        if date > DayDraft.latestDate(now).adding(days: -recentDays) { return true }
        let birth = try TherapyStore.running(of: account.id, connection)?.birthDate(keys)
        return birth.map { date >= $0 } ?? true
    }

    static func says(
        _ known: MeasurementDayRecord, theSameAs draft: DayDraft, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws -> Bool {
        let sums = DaySums(draft.samples)
        guard known.zone.told == draft.zone.told, known.total == draft.total, known.sums.n == sums.n,
            known.completeUntil == draft.completeUntil
        else { return false }
        let contents = try MeasurementDayStore.contents(of: known, connection)
        guard try contents.filed(key) == nil, try contents.device(key) == draft.device else { return false }
        // Compared as stored: to a thousandth.
        return try contents.samples(key) == SampleCoding.decode(SampleCoding.encode(draft.samples))
    }

    /// Chooses one of several sources of a day; they are never added up. The phone's own sum includes all that count
    /// for it; otherwise the first in the person's order; otherwise the one that is known the longest.
    package static func chosen(
        _ days: [MeasurementDayRecord], order: [MeasurementSource]
    ) -> MeasurementDayRecord? {
        let told = days.filter { $0.value != nil }
        if let phone = newest(told.filter { $0.source.isPhone && $0.total != nil }) { return phone }
        for source in order {
            if let day = told.first(where: { $0.source == source }) { return day }
        }
        return newest(told)
    }

    /// Every day of every source, type by type, with whether it counts.
    package static func marked(
        _ days: [MeasurementDayRecord], order: [MeasurementSource]
    ) -> [(day: MeasurementDayRecord, counts: Bool)] {
        let groups = Dictionary(grouping: days) { "\($0.type.rawValue) \($0.date.text)" }
        return groups.keys.sorted().flatMap { name -> [(day: MeasurementDayRecord, counts: Bool)] in
            let days = groups[name] ?? []
            let chosen = chosen(days, order: order)?.source
            return days.sorted { $0.source.rawValue < $1.source.rawValue }.map { ($0, $0.source == chosen) }
        }
    }

    private static func newest(_ days: [MeasurementDayRecord]) -> MeasurementDayRecord? {
        days.max { ($0.completeUntil, $1.source.rawValue) < ($1.completeUntil, $0.source.rawValue) }
    }

    /// The chosen day of each date, in their order.
    package static func chosen(
        _ type: MeasurementType, of account: ID<Account>, from: LocalDate, to: LocalDate,
        _ connection: borrowing Connection
    ) throws -> [MeasurementDayRecord] {
        let order = try GoalStore.find(of: account, connection).sources
        let all = try MeasurementDayStore.all(type, of: account, from: from, to: to, connection)
        let byDate = Dictionary(grouping: all, by: \.date)
        return byDate.keys.sorted().compactMap { chosen(byDate[$0] ?? [], order: order) }
    }
}

/// Zones of the heart rate by the share of the maximum for the age (220 minus the years: Fox, Naughton and Haskell
/// 1971), with the bounds of the source system: from 50, 70 and 85 per cent on.
enum HeartZones {
    static let names = ["out_of_range", "fat_burn", "cardio", "peak"]

    /// Nil for other types, and for an unknown age.
    static func of(
        _ draft: DayDraft, _ account: AccountRecord, _ keys: Keyring, _ connection: borrowing Connection
    ) throws -> [HeartZone]? {
        guard draft.type == .heartRate,
            let therapy = try TherapyStore.running(of: account.id, connection),
            let birth = try therapy.birthDate(keys)
        else { return nil }
        let years = Int((draft.date.daysSince1970 - birth.daysSince1970) / 365)
        return minutes(draft.samples, age: years)
    }

    static func minutes(_ samples: [Sample], age: Int) -> [HeartZone] {
        let samples = samples.lasting
        let highest = Double(max(100, 220 - age))
        let limits = [0, 0.5 * highest, 0.7 * highest, 0.85 * highest, 260].map { $0.rounded() }
        return names.indices.map { index in
            let seconds = samples.filter { $0.value >= limits[index] && $0.value < limits[index + 1] }
                .reduce(0) { $0 + $1.length }
            return HeartZone(
                name: names[index], minimum: limits[index], maximum: limits[index + 1],
                minutes: Double(seconds) / 60)
        }
    }
}
