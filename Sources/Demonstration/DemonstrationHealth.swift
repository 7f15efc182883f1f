import Database
import Foundation
import Identity
import Records
import Scheduling
import Therapies
import Wearables
import Web
import Wire

/// Ninety days, or as many as reach the last change of the clocks, of one person's phone and bracelet: two sources
/// that differ, and a week with the phone in a drawer. Steps and sleep are shared with the therapist.
struct DemonstrationHealth {
    let services: Services
    let now: Instant
    var email = "pia@example.org"
    /// The number of days of a person with a phone alone, which records steps and nights.
    var phoneDays: Int?
    var dice = SeededRandom(90_210)

    /// All accounts with measurements.
    static func all(_ services: Services, now: Instant) -> [DemonstrationHealth] {
        [
            DemonstrationHealth(services: services, now: now),
            DemonstrationHealth(
                services: services, now: now, email: "nina@example.org", phoneDays: 35,
                dice: SeededRandom(57)),
        ]
    }

    private let zone = Zone("Europe/Vienna")

    private var today: LocalDate { LocalTime(now, zone).date }

    /// The days since the last change of the clocks; at most seven months.
    private var change: Int {
        (0...220).first { DayDraft.length(of: today.adding(days: -$0), in: zone) != 86_400 } ?? 0
    }

    private var days: Int { phoneDays ?? max(90, change + 2) }

    /// The days without data, counted back from today; never the day of the change.
    private var gap: ClosedRange<Int> { (38...44).contains(change) ? 50...56 : 38...44 }

    /// Adds nothing where there are measurements already.
    func write() throws {
        let found = try services.records.read { connection in
            try AccountStore.find(lookup: services.keys.lookup(email: email), connection)
        }
        guard let account = found else { return }
        let isThere = try services.records.read { connection in
            try !MeasurementDayStore.all(of: account.id, connection).isEmpty
        }
        if isThere { return }
        let key = try account.key(services.keys)
        try services.records.writeUnaudited(.madeUp) { [self] connection in
            let days = days
            let gap = gap
            for ago in 0..<days where !gap.contains(ago) {
                try day(ago, of: account, connection)
                try night(ago, of: account.id, key, connection)
                if ago % 6 == 2 { try walk(ago, of: account.id, key, connection) }
            }
            try GoalStore.save(
                HealthWishes(goals: HealthGoals(stepsPerDay: 7_000, sleepMinutes: 450)), of: account.id,
                connection)
            var sharing = try OwnSharingStore.find(of: account.id, connection)
            sharing.shared.updateValue(nil, forKey: .steps)
            sharing.shared.updateValue(nil, forKey: .sleep)
            try OwnSharingStore.set(sharing, of: account.id, connection)
        }
    }

    private func day(_ ago: Int, of account: AccountRecord, _ connection: borrowing Connection) throws {
        for draft in drafts(ago) {
            try MeasurementDays.take(
                draft, of: account, services.keys, at: min(now, draft.completeUntil.adding(seconds: 420)),
                connection)
        }
    }

    /// Both sources' data of a day, as far as it has come.
    private func drafts(_ ago: Int) -> [DayDraft] {
        let date = today.adding(days: -ago)
        let begin = zone.instant(date, hour: 0, minute: 0)
        let end = begin.adding(seconds: Int64(DayDraft.length(of: date, in: zone)))
        let known = min(end, now)
        let hours = Int(known.seconds - begin.seconds) / 3_600
        let draft = { (type: MeasurementType, source: MeasurementSource, samples: [Sample], total: Double?) in
            DayDraft(
                type: type, date: date, source: source, device: "Telefon",
                zone: DeviceZone(name: zone.identifier),
                completeUntil: known, samples: samples, total: total)
        }
        let steps = steps(hours, isWalkingDay: ago % 6 == 2)
        if phoneDays != nil { return [draft(.steps, .healthConnect, steps, DaySums(steps).sum)] }
        // The bracelet is taken off at times.
        let bracelet = steps.filter { _ in dice.number(0...9) > 0 }
        var drafts = [
            draft(.steps, .healthConnect, steps, DaySums(steps).sum),
            draft(.steps, .gadgetbridge, bracelet, nil),
        ]
        if hours > 0 { drafts.append(draft(.heartRate, .gadgetbridge, rates(hours), nil)) }
        if ago > 0 {
            drafts.append(draft(.restingHeartRate, .gadgetbridge, [], Double(dice.number(55...61))))
        }
        return drafts
    }

    private func steps(_ hours: Int, isWalkingDay: Bool) -> [Sample] {
        (0..<hours).filter { (7...21).contains($0) }.map { hour in
            let most = isWalkingDay && (10...11).contains(hour) ? 3_200 : 780
            return Sample(hour * 3_600, 3_600, Double(dice.number(0...most)))
        }
    }

    private func rates(_ hours: Int) -> [Sample] {
        (0..<hours * 4).map { quarter in
            let isAwake = (28...88).contains(quarter)
            return Sample(quarter * 900, 900, Double(dice.number(isAwake ? 66...104 : 52...61)))
        }
    }

    /// Measured by the bracelet; every tenth night was entered by hand alone.
    private func night(
        _ ago: Int, of account: ID<Account>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws {
        let date = today.adding(days: -ago)
        let end = zone.instant(date, hour: 6, minute: dice.number(5...55))
        let minutes = dice.number(340...490)
        guard end <= now else { return }
        var sleep = Sleep(
            startsAt: end.adding(seconds: -60 * Int64(minutes)), endsAt: end,
            origin: ago % 10 == 3 ? "manual" : "measured")
        if sleep.origin == "measured" {
            let awake = dice.number(8...45)
            sleep.minutesAwake = awake
            sleep.minutesRestless = dice.number(10...40)
            sleep.minutesAsleep = minutes - awake - (sleep.minutesRestless ?? 0)
            sleep.awakenings = dice.number(1...5)
            sleep.efficiency = (Double(minutes - awake) / Double(minutes) * 1_000).rounded() / 10
        }
        try HealthRecordStore.save(
            sleep, dice.chance.id(), of: account, key, at: min(now, end.adding(seconds: 900)), connection)
    }

    private func walk(
        _ ago: Int, of account: ID<Account>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws {
        let begin = zone.instant(today.adding(days: -ago), hour: 10, minute: dice.number(0...30))
        guard begin.adding(seconds: 7_200) <= now else { return }
        var walk = Activity(name: "Spaziergang", startsAt: begin, durationSeconds: 60 * dice.number(40...95))
        walk.distanceM = Double(walk.durationSeconds) * 1.35
        walk.steps = walk.durationSeconds * 7 / 4
        walk.meanHeartRate = Double(dice.number(92...108))
        try HealthRecordStore.save(
            walk, dice.chance.id(), of: account, key, at: min(now, begin.adding(seconds: 9_000)),
            connection)
    }
}
