import Database
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// Reads the content of a measurement page. The caller decides which days are visible.
struct HealthReader {
    let account: AccountRecord
    let key: PersonKey
    let texts: Texts
    let dates: DateFormat
    let choice: HealthChoice
    /// The page's own address.
    let path: String
    let now: Instant
    /// Whether it is the person's own page: then days can be deleted.
    let isOwn: Bool
    let measures: [MeasurementSharing.Measure]
    /// The visible part of the period; nil for none.
    let visible: ClosedRange<LocalDate>?

    var words: HealthFormatter { HealthFormatter(texts: texts) }
    var zone: Zone { Zone(account.timezone) }

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
            let figures = DayFigures(type, days, today: today)
            return frame(
                choice.span == .day
                    ? try day(figures, connection) : self.figures(figures, goals))
        }
    }

    /// In the person's zone.
    private var today: LocalDate { LocalTime(now, zone).date }

    /// The parts that differ between measures.
    struct Content {
        var summary: String?
        var chart: HealthChart?
        var asOf: String?
        var differs: String?
        var rows: [HealthView.Row] = []
    }

    private func frame(_ content: Content) -> HealthView {
        let days = choice.dayCount
        let later = choice.last.adding(days: days)
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
            stretch: choice.span == .day
                ? dates.day(choice.last) : "\(dates.day(choice.first)) – \(dates.day(choice.last))",
            summary: content.summary,
            chart: content.chart, asOf: content.asOf, differs: content.differs, rows: content.rows,
            hasRows: !content.rows.isEmpty)
    }

    // MARK: Days

    private func figures(_ figures: DayFigures, _ goals: HealthGoals) -> Content {
        guard let newest = figures.days.last else { return Content() }
        let type = figures.type
        let goal = type == .steps ? goals.stepsPerDay.map(Double.init) : nil
        var content = Content()
        content.summary = figures.mean.map { summary(figures, $0, goal) }
        content.chart = chart(figures, goal)
        content.asOf = asOf(newest)
        content.differs = figures.days.contains(where: \.differs) ? texts["health.differs"] : nil
        content.rows = choice.span == .year ? months(figures) : days(figures)
        return content
    }

    private func summary(_ figures: DayFigures, _ mean: Double, _ goal: Double?) -> String {
        var text = texts[
            "health.summary",
            [
                "value": words.value(mean, figures.type), "n": String(figures.whole.count),
                "of": String(choice.dayCount),
            ]]
        if let goal {
            let reached = figures.days.compactMap(\.value).count { $0 >= goal }
            text +=
                " "
                + texts[
                    "health.goal_reached",
                    [
                        "goal": words.value(goal, figures.type),
                        "days": texts.count("health.goal_days", reached),
                    ]]
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

    func chart(
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
                    page: path + choice.query(span: .day, last: day.date),
                    removal: isOwn ? "/my/health/days/\(day.name)/removal" : nil)
            }
        }
    }

    func asOf(_ day: MeasurementDayRecord) -> String {
        texts[
            "health.as_of",
            ["at": dates.short(min(day.completeUntil, now)), "in": dates.short(day.receivedAt)]]
    }

    /// Zones from another source have names of their own.
    func minutes(_ zones: [HeartZone]) -> String {
        zones.filter { $0.name != HeartZones.names[0] }.map { zone in
            let name = HeartZones.names.contains(zone.name) ? zone.name : "other"
            return texts[
                "health.zone_\(name)",
                [
                    "n": texts.number(zone.minutes, digits: 0),
                    "from": texts.number(zone.minimum, digits: 0), "name": zone.name,
                ]]
        }.joined(separator: ", ")
    }

    private func months(_ figures: DayFigures) -> [HealthView.Row] {
        figures.monthly.reversed().map { month in
            HealthView.Row(
                when: dates.month(month.date), value: words.value(month.value, figures.type),
                note: texts.count("health.days", month.days), removal: nil)
        }
    }
}
