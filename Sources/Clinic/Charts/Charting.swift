import Contributions
import Delivery
import Questionnaires
import Records
import Rules
import Scheduling
import Therapies
import Wire
import Wording

/// The data of the figures, read once.
struct ChartData: Sendable {
    let sessions: SessionList
    let pauses: [PauseRecord]
    let dailies: DailySeries
    let slots: [DailyStore.Slot]
    /// The lead scale of each questionnaire with its values, the earliest first.
    let scales: [ScaleSeries]
    let interventions: [InterventionRecord]
    /// The questionnaire of the dailies, for the words of its ends; nil before the first is published.
    let daily: QuestionnaireDefinition?
}

/// Draws the figures of a therapy over one time axis.
struct Charting: Sendable {
    let data: ChartData
    let axis: TimeAxis
    let texts: Texts
    let dates: DateFormat
    let now: Instant
    /// The therapy's first day.
    let begunOn: LocalDate?
    let therapy: ID<Therapy>
    /// The timeline's address, with its query.
    let path: String
    let query: String
    /// The height of each figure.
    let height: Double

    let buckets: Buckets

    init(
        data: ChartData, axis: TimeAxis, texts: Texts, dates: DateFormat, now: Instant, begunOn: LocalDate?,
        therapy: ID<Therapy>, path: String, query: String, height: Double = Charting.height
    ) {
        self.data = data
        self.axis = axis
        self.texts = texts
        self.dates = dates
        self.now = now
        self.begunOn = begunOn
        self.therapy = therapy
        self.path = path
        self.query = query
        self.height = height
        buckets = Buckets(axis, dates.zone)
    }

    static let height = 96.0
    /// The most charts of scales; the latest answered first. More would be unreadable.
    static let mostScales = 3

    func sheet() -> ChartFrame {
        var charts = [mood(), thoughts()]
        charts += data.scales.prefix(Self.mostScales).map { series in
            scale(series, link: series.path(of: therapy))
        }
        charts.append(interventions())
        return sheet(charts.filter { !$0.isEmpty || $0.id == "mood" })
    }

    /// Figures in their common frame.
    func sheet(_ charts: [ChartView]) -> ChartFrame {
        let lines = sessionLines()
        return ChartFrame(
            isTimed: true, sessions: sessions(), days: days(), sessionLines: lines.held, offLines: lines.off,
            nextLine: lines.next, pauses: pauses(), key: key(),
            charts: charts)
    }

    // MARK: The frame

    private func held() -> ArraySlice<SessionList.Numbered> {
        let held = data.sessions.held
        let begin = held.firstIndex { $0.session.startsAt >= axis.from } ?? held.endIndex
        return held[begin...].prefix { $0.session.startsAt <= axis.to }
    }

    private var next: SessionList.Numbered? {
        data.sessions.next(after: now).flatMap { axis.holds($0.session.startsAt) ? $0 : nil }
    }

    /// Thousandths of the width that a number needs beside the next one; a mark without one needs half of it.
    private static let room = 50.0

    /// Numbers above the lines, each a link to its session; where they are close only some, the newest first. A
    /// session that did not take place is a hollow mark without a number (PR-2).
    private func sessions() -> [ChartFrame.Session] {
        var marks: [(x: Double, mark: ChartFrame.Session)] = []
        func put(_ entry: SessionList.Numbered, room: Double, _ make: (Bool) -> ChartFrame.Session) {
            let x = axis.x(entry.session.startsAt)
            guard marks.allSatisfy({ abs($0.x - x) >= room }) else { return }
            // Every second one is omitted on narrow screens.
            marks.append((x, make(marks.count % 2 == 1)))
        }
        if let next { put(next, room: Self.room) { _ in mark(next: next) } }
        for entry in held().reversed() { put(entry, room: Self.room) { mark(held: entry, isMinor: $0) } }
        for entry in off() {
            let before = data.sessions.held.last { $0.session.startsAt <= entry.session.startsAt }
            put(entry, room: Self.room / 2) { isMinor in
                mark(
                    entry, number: nil, name: texts["sessions.state_\(entry.state.rawValue)"], to: before,
                    isMinor: isMinor)
            }
        }
        return marks.sorted { $0.x < $1.x }.map(\.mark)
    }

    private func mark(next: SessionList.Numbered) -> ChartFrame.Session {
        let number = data.sessions.comingNumber(of: next).map { String($0) }
        return ChartFrame.Session(
            x: axis.percent(next.session.startsAt), number: number ?? "–",
            label: label(number.map { texts["sessions.before", ["n": $0]] } ?? "", next),
            link: "\(path)?\(query)", isNext: true, isMinor: false)
    }

    private func mark(held entry: SessionList.Numbered, isMinor: Bool) -> ChartFrame.Session {
        let number = entry.number.map { String($0) }
        let name = number.map { texts["timeline.session", ["n": $0]] } ?? texts["timeline.session_unnumbered"]
        return mark(entry, number: number ?? "–", name: name, to: entry, isMinor: isMinor)
    }

    /// - Parameter begin: the session that its interval begins with; nil before the first.
    private func mark(
        _ entry: SessionList.Numbered, number: String?, name: String, to begin: SessionList.Numbered?,
        isMinor: Bool
    ) -> ChartFrame.Session {
        let anchor = begin?.anchor ?? "session-0"
        return ChartFrame.Session(
            x: axis.percent(entry.session.startsAt), number: number, label: label(name, entry),
            link:
                "\(path)?open=\(begin?.number.map { String($0) } ?? anchor)\(query.isEmpty ? "" : "&" + query)#\(anchor)",
            isNext: false,
            isMinor: isMinor)
    }

    private func label(_ name: String, _ entry: SessionList.Numbered) -> String {
        let day = dates.shortDay(LocalTime(entry.session.startsAt, dates.zone).date)
        return [name, day].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Missed and cancelled ones.
    func off() -> [SessionList.Numbered] {
        data.sessions.all.filter { $0.isOff && axis.holds($0.session.startsAt) }
    }

    private func sessionLines() -> (held: String, off: String, next: String) {
        var lines = PathText()
        var dotted = PathText()
        var dashed = PathText()
        for entry in held() { lines.vertical(axis.x(entry.session.startsAt), height: height) }
        for entry in off() { dotted.vertical(axis.x(entry.session.startsAt), height: height) }
        if let next { dashed.vertical(axis.x(next.session.startsAt), height: height) }
        return (lines.text, dotted.text, dashed.text)
    }

    private static let dayMarks = 8

    /// The dates below the figure: days, Mondays or firsts of a month, as many as have room (PR-5).
    private func days() -> [ChartFrame.Day] {
        let first = LocalTime(axis.from, dates.zone).date
        let last = LocalTime(axis.to, dates.zone).date
        let shown = Self.ticks(from: first, to: last, most: Self.dayMarks).filter {
            axis.holds(dates.zone.instant($0, hour: 0, minute: 0))
        }
        // On narrow screens every second one is omitted, and the others show their years themselves.
        let few = stride(from: 0, to: shown.count, by: 2).map { shown[$0] }
        let names = Dictionary(
            zip(shown + few, dates.numericDays(shown) + dates.numericDays(few)), uniquingKeysWith: { $1 })
        return shown.enumerated().map { index, day in
            ChartFrame.Day(
                x: axis.percent(dates.zone.instant(day, hour: 0, minute: 0)), text: names[day] ?? "",
                isMinor: index % 2 == 1)
        }
    }

    static func ticks(from first: LocalDate, to last: LocalDate, most: Int) -> [LocalDate] {
        let days = Int(last.daysSince1970 - first.daysSince1970)
        if days < most { return (0...days).map { first.adding(days: $0) } }
        if let weeks = [1, 2, 3, 4, 6].first(where: { days / (7 * $0) < most }) {
            let monday = first.adding(days: (8 - first.weekday) % 7)
            return stride(from: monday.daysSince1970, through: last.daysSince1970, by: 7 * weeks).map {
                LocalDate(daysSince1970: $0)
            }
        }
        let span = (last.year - first.year) * 12 + last.month - first.month
        let months = [1, 2, 3, 6, 12].first { span / $0 < most } ?? 12 * (span / (12 * most) + 1)
        return stride(from: months, through: span, by: months).compactMap { step in
            let month = first.month - 1 + step
            return LocalDate(year: first.year + month / 12, month: month % 12 + 1, day: 1)
        }
    }

    // MARK: Tables

    func table(
        _ columns: [String], _ rows: [(begin: LocalDate, cells: [String])]
    ) -> ChartView.Table {
        let first = texts["charts.unit_\(buckets.unit.rawValue)"]
        return ChartView.Table(
            columns: [first] + columns,
            rows: rows.map { .init(head: bucketName($0.begin), cells: $0.cells) })
    }

    func bucketName(_ begin: LocalDate) -> String {
        switch buckets.unit {
        case .day: dates.shortDay(begin)
        case .week: texts["charts.week_of", ["day": dates.day(begin)]]
        case .month: dates.month(begin)
        }
    }
}
