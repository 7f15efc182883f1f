import Database
import Identity
import Psychometrics
import Records
import Scheduling
import Web
import Wire
import Wording

// Sleeps and activities: stored one by one, not by the day.
extension HealthReader {
    private func stretch(_ visible: ClosedRange<LocalDate>) -> Range<Instant> {
        let from = zone.instant(visible.lowerBound, hour: 0, minute: 0)
        return from..<zone.instant(visible.upperBound.adding(days: 1), hour: 0, minute: 0)
    }

    /// A single day has no chart: it would be one bar.
    private func chart(
        _ daily: [LocalDate: Double], _ monthly: [String: Double], goal: Double?
    ) -> HealthChart? {
        let values: [Double?]
        switch choice.span {
        case .day: return nil
        case .year: values = choice.months.map { monthly[String($0.text.prefix(7))] }
        case .week, .month:
            values = (0..<choice.dayCount).map { daily[choice.first.adding(days: $0)] }
        }
        return chart(values, goal, areBars: true) { words.duration(minutes: $0) }
    }

    // MARK: Nights

    func nights(
        _ visible: ClosedRange<LocalDate>, _ goals: HealthGoals, _ connection: borrowing Connection
    ) throws -> Content {
        // A night belongs to the day on which it ends.
        let stretch = stretch(visible)
        let nights = try CountedTimes.read(.sleep, of: account.id, on: visible, zone, connection)
        guard let mean = nights.mean else { return Content() }
        let monthly = nights.byMonth.compactMapValues(\.mean)
        var content = Content()
        content.summary =
            texts[
                "health.summary",
                [
                    "value": words.duration(minutes: mean), "n": String(nights.minutes.count),
                    "of": String(choice.dayCount),
                ]]
        content.chart = chart(nights.minutes, monthly, goal: goals.sleepMinutes.map(Double.init))
        guard choice.span != .year else {
            content.rows = choice.months.reversed().compactMap { month in
                let name = String(month.text.prefix(7))
                return monthly[name].map { mean in
                    HealthView.Row(
                        when: dates.month(month), value: words.duration(minutes: mean),
                        note: texts.count("health.days", nights.byMonth[name]?.count ?? 0))
                }
            }
            return content
        }
        let found = try HealthRecordStore.all(
            Sleep.self, of: account.id, endingIn: stretch, key, connection)
        content.asOf = found.first.map {
            texts["health.as_of", ["at": dates.short($0.value.endsAt), "in": dates.short($0.receivedAt)]]
        }
        content.rows = found.prefix(62).map { row($0, counts: !nights.overlapped.contains($0.id)) }
        return content
    }

    /// The counted duration, without the time awake where that was measured; then begin and end, and its quality.
    private func row(_ record: HealthRecord<Sleep>, counts: Bool) -> HealthView.Row {
        let sleep = record.value
        var notes = [texts["health.origin_\(sleep.origin)"]]
        if !counts { notes.append(texts["health.counts_not"]) }
        notes += sleep.origin == "manual" ? [texts["health.no_stages"]] : quality(of: sleep)
        return HealthView.Row(
            when: "\(dates.short(sleep.startsAt)) – \(dates.time(sleep.endsAt))",
            value: words.duration(minutes: sleep.minutes), note: notes.joined(separator: " · "),
            removal: isOwn ? "/my/health/sleeps/\(record.id)/removal" : nil)
    }

    private func quality(of sleep: Sleep) -> [String] {
        let stages = [
            ("asleep", sleep.minutesAsleep), ("restless", sleep.minutesRestless),
            ("awake", sleep.minutesAwake),
        ].map { name, minutes in
            texts["health.stage_\(name)", ["n": minutes.map(String.init) ?? "–"]]
        }
        let more = [
            sleep.minutesToFallAsleep.map { texts["health.stage_falling", ["n": String($0)]] },
            sleep.awakenings.map { texts.count("health.awakenings", $0) },
            sleep.restlessCount.map { texts.count("health.restless", $0) },
            sleep.efficiency.map { texts["health.efficiency", ["n": texts.number($0, digits: 0)]] },
        ]
        return stages + more.compactMap(\.self)
    }

    // MARK: Activities

    func activities(
        _ visible: ClosedRange<LocalDate>, _ connection: borrowing Connection
    ) throws -> Content {
        let stretch = stretch(visible)
        let times = try CountedTimes.read(.activity, of: account.id, on: visible, zone, connection)
        let monthly = times.byMonth.mapValues { $0.reduce(0, +) }
        var content = Content()
        content.summary = times.counted.isEmpty ? nil : words.activities(times)
        content.chart = chart(times.minutes, monthly, goal: nil)
        content.rows = try choice.span == .year ? months(times, monthly) : rows(stretch, times, connection)
        return content
    }

    private func months(_ times: CountedTimes, _ monthly: [String: Double]) -> [HealthView.Row] {
        choice.months.reversed().compactMap { month in
            let name = String(month.text.prefix(7))
            let number = times.numbers.filter { $0.key.text.hasPrefix(name) }.values.reduce(0, +)
            return monthly[name].map { minutes in
                HealthView.Row(
                    when: dates.month(month), value: words.duration(minutes: minutes),
                    note: texts.count("health.activities", number))
            }
        }
    }

    private func rows(
        _ stretch: Range<Instant>, _ times: CountedTimes, _ connection: borrowing Connection
    ) throws -> [HealthView.Row] {
        let found = try HealthRecordStore.all(
            Activity.self, of: account.id, from: stretch.lowerBound, until: stretch.upperBound, key,
            connection)
        return found.prefix(62).map { record in
            let activity = record.value
            let details = [
                times.overlapped.contains(record.id) ? texts["health.counts_not"] : nil,
                activity.distanceM.map { words.value($0, .distance) },
                activity.steps.map { words.value(Double($0), .steps) },
                activity.meanHeartRate.map { words.value($0, .heartRate) },
                activity.calories.map { words.value($0, .activeEnergy) }, activity.zones.map(minutes),
            ].compactMap(\.self)
            return HealthView.Row(
                when: dates.short(activity.startsAt),
                value: "\(activity.name), \(words.duration(minutes: activity.minutes))",
                note: details.joined(separator: " · "),
                removal: isOwn ? "/my/health/activities/\(record.id)/removal" : nil)
        }
    }
}
