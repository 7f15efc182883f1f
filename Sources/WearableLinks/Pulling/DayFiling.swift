import Database
import Identity
import Records
import Scheduling
import Wearables
import Web
import Wire

/// Stores a provider's data, inside a write, as days of phones (`MeasurementDays`). No other place knows how.
enum DayFiling {
    static func file(
        _ fetched: FetchedWindow, _ window: LinkWindow, _ provider: WearableProvider, since linked: Instant,
        of account: AccountRecord, _ keys: Keyring, at now: Instant, _ connection: borrowing Connection
    ) throws {
        for day in fetched.days {
            try file(day, window, provider, since: linked, of: account, keys, at: now, connection)
        }
        let key = try account.key(keys)
        for sleep in fetched.sleeps {
            try file(sleep, provider.name, of: account.id, key, at: now, connection)
        }
        guard let stretch = fetched.knowsSleeps else { return }
        let told = Set(fetched.sleeps.map { id(of: $0, provider.name, account.id) })
        try FetchedSleepStore.forget(
            besides: told, endingIn: stretch, from: provider.name, of: account.id, connection)
    }

    private static func id(
        of sleep: FetchedSleep, _ provider: String, _ account: ID<Account>
    ) -> ID<HealthEntry> {
        ID<HealthEntry>(DerivedID.of("wearable sleep", account, provider, sleep.name))
    }

    private static func file(
        _ day: FetchedDay, _ window: LinkWindow, _ provider: WearableProvider, since linked: Instant,
        of account: AccountRecord, _ keys: Keyring, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let known = try MeasurementDayStore.find(
            day.type, day.date, provider.source, of: account.id, connection)
        // A day that was removed there is removed here; without a stored one there is nothing to note.
        if day.isEmpty, known == nil { return }
        // A day kept from an earlier link may be another account's at the provider: the present one does not know it.
        if day.isEmpty, let known, known.receivedAt < linked { return }
        // Data before the person's birth is wrong.
        guard try MeasurementDays.isLived(day.date, by: account, keys, at: now, connection) else { return }
        let after = window.zone.instant(day.date.adding(days: 1), hour: 0, minute: 0)
        let length = DayDraft.length(of: day.date, in: window.zone)
        var samples = DayDraft.cut(day.samples, to: length)
        // Samples with an impossible sum are dropped.
        if day.type.isSum, samples.reduce(0, { $0 + $1.value }) > day.type.range.upperBound { samples = [] }
        // A day that is known until later was filed by a later fetch; or the person has moved meanwhile.
        var until = max(min(now, after), window.begin)
        if let known, known.zone.name != window.zone.identifier { until = max(until, known.completeUntil) }
        if let known, known.completeUntil > until { return }
        try MeasurementDays.take(
            DayDraft(
                type: day.type, date: day.date, source: provider.source, device: nil,
                zone: DeviceZone(name: window.zone.identifier), completeUntil: until, samples: samples,
                total: day.total),
            of: account, keys, at: now, connection)
    }

    private static func file(
        _ sleep: FetchedSleep, _ provider: String, of account: ID<Account>, _ key: PersonKey,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        let id = id(of: sleep, provider, account)
        let known = try HealthRecordStore.find(Sleep.self, id, of: account, key, connection)
        // Deleted records stay deleted.
        if known.isDeleted { return }
        if known.value != sleep.sleep {
            try HealthRecordStore.save(sleep.sleep, id, of: account, key, at: now, connection)
        }
        // Includes one kept from an earlier link: it goes with this link again.
        try FetchedSleepStore.note(id, from: provider, of: account, connection)
    }
}
