import Database
import Identity
import Records
import Scheduling
import Wearables
import Web
import Wire

/// Stores a provider's data, inside a write, as days of phones (`MeasurementDays`). No other place knows how.
struct DayFiling {
    let window: LinkWindow
    let provider: WearableProvider
    let linkedAt: Instant
    let account: AccountRecord
    let keys: Keyring
    /// The last local day of which the provider has told anything.
    let lastDay: LocalDate?

    func file(_ fetched: FetchedWindow, _ connection: borrowing Connection) throws {
        for day in fetched.days { try file(day, connection) }
        let key = try account.key(keys)
        for sleep in fetched.sleeps { try file(sleep, key, connection) }
        guard let stretch = fetched.knowsSleeps else { return }
        let told = Set(fetched.sleeps.map(id))
        try FetchedSleepStore.forget(
            besides: told, endingIn: stretch, from: provider.name, of: account.id, connection)
    }

    /// A later day that has something shows that the device has handed over all of the one before.
    func complete(_ day: LocalDate, _ stream: ProviderStream, _ connection: borrowing Connection) throws {
        guard let lastDay, day < lastDay else { return }
        for type in stream.covers.compactMap(MeasurementType.init(rawValue:)) {
            let known = try MeasurementDayStore.find(type, day, provider.source, of: account.id, connection)
            guard let known else { continue }
            let end = Zone(known.zone.name).instant(day.adding(days: 1), hour: 0, minute: 0)
            if known.completeUntil < end, end <= window.now {
                try MeasurementDayStore.complete(known, until: end, connection)
            }
        }
    }

    private func id(of sleep: FetchedSleep) -> ID<HealthEntry> {
        ID<HealthEntry>(DerivedID.of("wearable sleep", account.id, provider.name, sleep.name))
    }

    private func file(_ day: FetchedDay, _ connection: borrowing Connection) throws {
        let known = try MeasurementDayStore.find(
            day.type, day.date, provider.source, of: account.id, connection)
        // A day that was removed there is removed here; without a stored one there is nothing to note.
        if day.isEmpty, known == nil { return }
        // A day kept from an earlier link may be another account's at the provider: the present one does not know it.
        if day.isEmpty, let known, known.receivedAt < linkedAt { return }
        let name = DayName(type: day.type, date: day.date, source: provider.source)
        if try DeletedDayStore.holds(name, of: account.id, connection) { return }
        // Data before the person's birth is wrong.
        let now = window.now
        guard try MeasurementDays.isLived(day.date, by: account, keys, at: now, connection) else { return }
        let length = DayDraft.length(of: day.date, in: window.zone)
        var samples = DayDraft.cut(day.samples, to: length)
        // Samples with an impossible sum are dropped.
        if day.type.isSum, samples.reduce(0, { $0 + $1.value }) > day.type.range.upperBound { samples = [] }
        // A day that is known until later was filed by a later fetch; or the person has moved meanwhile, or it was said to be whole before
        // a later one had anything.
        var until = end(of: day, DaySums(samples), before: known)
        let isOver = window.zone.instant(day.date.adding(days: 1), hour: 0, minute: 0) <= window.now
        if let known, isOver || known.zone.name != window.zone.identifier {
            until = max(until, known.completeUntil)
        }
        if let known, known.completeUntil > until { return }
        try MeasurementDays.take(
            DayDraft(
                type: day.type, date: day.date, source: provider.source, device: nil,
                zone: DeviceZone(name: window.zone.identifier), completeUntil: until, samples: samples,
                total: day.total),
            of: account, keys, at: now, connection)
    }

    /// Until when an answer knows a day. It is whole only where a later day has something, or where it was removed: a device that has
    /// not been near its telephone since keeps the rest of the last one (RP-101).
    private func end(
        of day: FetchedDay, _ sums: DaySums, before known: MeasurementDayRecord?
    ) -> Instant {
        let end = window.zone.instant(day.date.adding(days: 1), hour: 0, minute: 0)
        if window.now < end { return max(window.now, window.begin) }
        if day.isEmpty || day.date < lastDay ?? day.date { return end }
        if let known, known.total == day.total, known.sums.n == sums.n, known.sums.sum == sums.sum {
            return min(known.completeUntil, end)
        }
        return end.adding(seconds: -1)
    }

    private func file(
        _ sleep: FetchedSleep, _ key: PersonKey, _ connection: borrowing Connection
    ) throws {
        let id = id(of: sleep)
        let known = try HealthRecordStore.find(Sleep.self, id, of: account.id, key, connection)
        // Deleted records stay deleted.
        if known.isDeleted { return }
        if known.value != sleep.sleep {
            try HealthRecordStore.save(sleep.sleep, id, of: account.id, key, at: window.now, connection)
        }
        // Includes one kept from an earlier link: it goes with this link again.
        try FetchedSleepStore.note(id, from: provider.name, of: account.id, connection)
    }
}
