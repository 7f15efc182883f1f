import Database
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// Reads what a page of measurements shows. What may be seen is told by whoever asks.
struct HealthReader {
    let account: AccountRecord
    let key: PersonKey
    let texts: Texts
    let dates: DateFormat
    let choice: HealthChoice
    /// The page's own address.
    let path: String
    /// Whether it is the person's own page: then days can be deleted.
    let isOwn: Bool
    /// The measures there are to choose from.
    let measures: [MeasurementSharing.Measure]
    /// The part of the stretch that may be seen; nil for none.
    let visible: ClosedRange<LocalDate>?

    private var words: HealthWords { HealthWords(texts: texts) }
    private var zone: Zone { Zone(account.timezone) }

    func view(_ connection: borrowing Connection) throws -> HealthView {
        let goals = try GoalStore.find(of: account.id, connection).goals
        guard let visible else { return frame(Content()) }
        switch choice.measure {
        case .sleep: return frame(try nights(visible, goals, connection))
        case .activities: return frame(try activities(visible, connection))
        default:
            guard let type = MeasurementType(rawValue: choice.measure.rawValue) else {
                return frame(Content())
            }
            let days = try MeasurementDays.chosen(
                type, of: account.id, from: visible.lowerBound, to: visible.upperBound, connection)
            return frame(figures(DayFigures(type, days), goals))
        }
    }

    /// What differs from measure to measure.
    private struct Content {
        var summary: String?
        var chart: HealthChart?
        var asOf: String?
        var differs: String?
        var rows: [HealthView.Row] = []
    }

    private func frame(_ content: Content) -> HealthView {
        let days = choice.dayCount
        let later = choice.last.adding(days: days)
        let today = dates.today
        return HealthView(
            measures: measures.map { measure in
                PageLink(
                    label: words.name(measure), path: path + choice.query(measure: measure),
                    isCurrent: measure == choice.measure)
            },
            spans: HealthChoice.Span.allCases.map { span in
                PageLink(
                    label: texts["health.span_\(span.rawValue)"], path: path + choice.query(span: span),
                    isCurrent: span == choice.span)
            },
            earlier: path + choice.query(last: choice.first.adding(days: -1)),
            later: choice.last < today ? path + choice.query(last: min(later, today)) : nil,
            title: words.name(choice.measure),
            stretch: "\(dates.day(choice.first)) – \(dates.day(choice.last))", summary: content.summary,
            chart: content.chart, asOf: content.asOf, differs: content.differs, rows: content.rows,
            hasRows: !content.rows.isEmpty)
    }

    // MARK: Days

    private func figures(_ figures: DayFigures, _ goals: HealthGoals) -> Content {
        guard let mean = figures.mean, let newest = figures.days.last else { return Content() }
        let type = figures.type
        let goal = type == .steps ? goals.stepsPerDay.map(Double.init) : nil
        var content = Content()
        content.summary = summary(figures, mean, goal)
        content.chart = chart(figures, goal)
        content.asOf =
            texts[
                "health.as_of", ["at": dates.short(newest.lastAt), "in": dates.short(newest.receivedAt)]]
        content.differs = figures.days.contains(where: \.differs) ? texts["health.differs"] : nil
        content.rows = choice.span == .year ? months(figures) : days(figures)
        return content
    }

    private func summary(_ figures: DayFigures, _ mean: Double, _ goal: Double?) -> String {
        var text = texts[
            "health.summary",
            [
                "value": words.value(mean, figures.type), "n": String(figures.values.count),
                "of": String(choice.dayCount),
            ]]
        if let goal {
            let reached = figures.values.count { $0 >= goal }
            text +=
                " "
                + texts[
                    "health.goal_reached", ["goal": words.value(goal, figures.type), "n": String(reached)]]
        }
        return text
    }

    private func chart(_ figures: DayFigures, _ goal: Double?) -> HealthChart? {
        let values: [Double?]
        if choice.span == .year {
            let monthly = Dictionary(
                figures.monthly.map { ($0.date, $0.value) }, uniquingKeysWith: { first, _ in first })
            values = choice.months.map { monthly[$0] }
        } else {
            let daily = Dictionary(
                figures.daily.map { ($0.date, $0.value) }, uniquingKeysWith: { first, _ in first })
            values = (0..<choice.dayCount).map { daily[choice.first.adding(days: $0)] }
        }
        return chart(values, goal, areBars: figures.type.isSum) { words.value($0, figures.type) }
    }

    private func chart(
        _ values: [Double?], _ goal: Double?, areBars: Bool, _ label: (Double) -> String
    ) -> HealthChart? {
        let isYear = choice.span == .year
        let mark = { (date: LocalDate) in isYear ? dates.month(date) : dates.numericDay(date) }
        return HealthChart(
            values, goal: goal, areBars: areBars, words: words.name(choice.measure),
            begin: mark(choice.first), end: mark(choice.last), label: label)
    }

    private func days(_ figures: DayFigures) -> [HealthView.Row] {
        figures.days.reversed().compactMap { day in
            day.value.map { value in
                var note = words.source(day.source)
                if let zones = day.zones { note += " · " + minutes(zones) }
                return HealthView.Row(
                    when: dates.shortDay(day.date), value: words.value(value, figures.type), note: note,
                    removal: isOwn ? "/my/health/days/\(day.name)/removal" : nil)
            }
        }
    }

    private func minutes(_ zones: [HeartZone]) -> String {
        zones.dropFirst().map { zone in
            texts[
                "health.zone_\(zone.name)",
                ["n": texts.number(zone.minutes, digits: 0), "from": texts.number(zone.minimum, digits: 0)]]
        }.joined(separator: ", ")
    }

    private func months(_ figures: DayFigures) -> [HealthView.Row] {
        figures.monthly.reversed().map { month in
            HealthView.Row(
                when: dates.month(month.date), value: words.value(month.value, figures.type),
                note: texts.count("health.days", month.days), removal: nil)
        }
    }

    // MARK: Nights and activities

    private func span(_ visible: ClosedRange<LocalDate>) -> (from: Instant, until: Instant) {
        (
            zone.instant(visible.lowerBound, hour: 0, minute: 0),
            zone.instant(visible.upperBound.adding(days: 1), hour: 0, minute: 0)
        )
    }

    private func nights(
        _ visible: ClosedRange<LocalDate>, _ goals: HealthGoals, _ connection: borrowing Connection
    ) throws -> Content {
        // A night belongs to the day on which it ends.
        let (from, until) = span(visible)
        let found = try HealthRecordStore.all(
            Sleep.self, of: account.id, from: from.adding(days: -1), until: until, key, connection
        ).filter { $0.value.endsAt >= from && $0.value.endsAt < until }
        guard !found.isEmpty else { return Content() }
        let nights = SleepNights(found, zone)
        var content = Content()
        let mean = nights.minutes.values.reduce(0, +) / Double(max(1, nights.minutes.count))
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
        content.asOf = found.first.map {
            texts["health.as_of", ["at": dates.short($0.value.endsAt), "in": dates.short($0.receivedAt)]]
        }
        content.rows = found.prefix(62).map(row)
        return content
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
        return HealthView.Row(
            when: "\(dates.short(sleep.startsAt)) – \(dates.time(sleep.endsAt))",
            value: words.duration(minutes: Int(sleep.endsAt.seconds - sleep.startsAt.seconds) / 60),
            note: ([origin] + parts).joined(separator: " · "),
            removal: isOwn ? "/my/health/sleeps/\(record.id)/removal" : nil)
    }

    private func activities(
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

    init(_ records: [HealthRecord<Sleep>], _ zone: Zone) {
        minutes = records.reduce(into: [:]) { sums, record in
            let sleep = record.value
            let whole = Double(sleep.endsAt.seconds - sleep.startsAt.seconds) / 60
            sums[LocalTime(sleep.endsAt, zone).date, default: 0] +=
                sleep.minutesAsleep.map(Double.init) ?? whole
        }
    }

    /// The means of the nights of each month, by `2026-11`.
    var monthly: [String: Double] {
        Dictionary(grouping: minutes) { String($0.key.text.prefix(7)) }
            .mapValues { nights in nights.reduce(0) { $0 + $1.value } / Double(nights.count) }
    }
}
