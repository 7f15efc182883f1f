import Database
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

// Nights and activities: what was kept one by one, and not by the day.
extension HealthReader {
    private func span(_ visible: ClosedRange<LocalDate>) -> (from: Instant, until: Instant) {
        (
            zone.instant(visible.lowerBound, hour: 0, minute: 0),
            zone.instant(visible.upperBound.adding(days: 1), hour: 0, minute: 0)
        )
    }

    func nights(
        _ visible: ClosedRange<LocalDate>, _ goals: HealthGoals, _ connection: borrowing Connection
    ) throws -> Content {
        // A night belongs to the day on which it ends.
        let (from, until) = span(visible)
        let nights = SleepNights(
            try HealthRecordStore.minutes(of: .sleep, of: account.id, from: from, until: until, connection),
            zone)
        guard let mean = nights.mean else { return Content() }
        var content = Content()
        content.summary =
            texts[
                "health.summary",
                [
                    "value": words.duration(minutes: Int(mean.rounded())), "n": String(nights.minutes.count),
                    "of": String(choice.dayCount),
                ]]
        let values: [Double?] =
            choice.span == .year
            ? choice.months.map { nights.monthly[String($0.text.prefix(7))] }
            : (0..<choice.dayCount).map { nights.minutes[choice.first.adding(days: $0)] }
        content.chart = chart(values, goals.sleepMinutes.map(Double.init), areBars: true) {
            words.duration(minutes: Int($0.rounded()))
        }
        guard choice.span != .year else {
            content.rows = months(nights)
            return content
        }
        let found = try HealthRecordStore.all(
            Sleep.self, of: account.id, from: from.adding(days: -1), until: until, key, connection
        ).filter { $0.value.endsAt >= from && $0.value.endsAt < until }
        content.asOf = found.first.map {
            texts["health.as_of", ["at": dates.short($0.value.endsAt), "in": dates.short($0.receivedAt)]]
        }
        content.rows = found.prefix(62).map(row)
        return content
    }

    private func months(_ nights: SleepNights) -> [HealthView.Row] {
        choice.months.reversed().compactMap { month in
            let name = String(month.text.prefix(7))
            return nights.monthly[name].map { mean in
                HealthView.Row(
                    when: dates.month(month), value: words.duration(minutes: Int(mean.rounded())),
                    note: texts.count("health.days", nights.minutes.keys.count { $0.text.hasPrefix(name) }),
                    removal: nil)
            }
        }
    }

    private func row(_ record: HealthRecord<Sleep>) -> HealthView.Row {
        let sleep = record.value
        let parts = [
            ("asleep", sleep.minutesAsleep), ("restless", sleep.minutesRestless),
            ("awake", sleep.minutesAwake),
        ].map { name, minutes in
            texts["health.stage_\(name)", ["n": minutes.map(String.init) ?? "–"]]
        }
        let origin = texts["health.origin_\(sleep.origin)"]
        let quality = sleep.origin == "manual" ? [texts["health.no_stages"]] : parts
        return HealthView.Row(
            when: "\(dates.short(sleep.startsAt)) – \(dates.time(sleep.endsAt))",
            value: words.duration(minutes: Int(sleep.endsAt.seconds - sleep.startsAt.seconds) / 60),
            note: ([origin] + quality).joined(separator: " · "),
            removal: isOwn ? "/my/health/sleeps/\(record.id)/removal" : nil)
    }

    func activities(
        _ visible: ClosedRange<LocalDate>, _ connection: borrowing Connection
    ) throws -> Content {
        let (from, until) = span(visible)
        let found = try HealthRecordStore.all(
            Activity.self, of: account.id, from: from, until: until, key, connection)
        var content = Content()
        content.rows = found.prefix(62).map { record in
            let activity = record.value
            let details = [
                activity.distanceM.map { words.value($0, .distance) },
                activity.meanHeartRate.map { words.value($0, .heartRate) },
                activity.calories.map { words.value($0, .activeEnergy) }, activity.zones.map(minutes),
            ].compactMap(\.self)
            return HealthView.Row(
                when: dates.short(activity.startsAt),
                value: "\(activity.name), \(words.duration(minutes: activity.durationSeconds / 60))",
                note: details.joined(separator: " · "),
                removal: isOwn ? "/my/health/activities/\(record.id)/removal" : nil)
        }
        content.summary = found.isEmpty ? nil : texts.count("health.activities", found.count)
        return content
    }
}

/// Minutes of sleep by the day on which it ended.
struct SleepNights {
    let minutes: [LocalDate: Double]

    init(_ records: [(endsAt: Instant, minutes: Double)], _ zone: Zone) {
        minutes = records.reduce(into: [:]) { sums, record in
            sums[LocalTime(record.endsAt, zone).date, default: 0] += record.minutes
        }
    }

    /// The mean of the nights; nil without one.
    var mean: Double? {
        minutes.isEmpty ? nil : minutes.values.reduce(0, +) / Double(minutes.count)
    }

    /// The means of the nights of each month, by `2026-11`.
    var monthly: [String: Double] {
        Dictionary(grouping: minutes) { String($0.key.text.prefix(7)) }
            .mapValues { nights in nights.reduce(0) { $0 + $1.value } / Double(nights.count) }
    }
}
