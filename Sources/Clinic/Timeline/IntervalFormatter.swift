import Contributions
import Database
import Delivery
import HTTP
import Questionnaires
import Records
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// Intervals in words: their headings with their sums, and their rows.
struct IntervalFormatter: Sendable {
    typealias Show = TimelinePages.Show

    let texts: Texts
    private let dates: DateFormat
    private let now: Instant
    private let events: TimelineFormatter
    private let moods: MoodFormatter
    /// Delivered prompts by day.
    private let delivered: [LocalDate: Int]

    init(_ c: Context<Caseload>, _ data: ChartData, _ history: TherapyHistory) {
        texts = c.texts
        dates = c.dates
        now = c.now
        events = TimelineFormatter(texts: c.texts, now: c.now, dates: c.dates)
        moods = MoodFormatter(data.daily, c.texts)
        // Only recent ones: folded intervals show no days. An unfolded interval is read by its own days.
        let zone = c.dates.zone
        var delivered: [LocalDate: Int] = [:]
        for slot in history.slots where slot.isDelivered {
            delivered[LocalTime(slot.at, zone).date, default: 0] += 1
        }
        self.delivered = delivered
    }

    /// Coming events, above all past ones.
    func coming(_ newest: Interval?, kind: TimelineEvent.Kind?) -> Show.Part? {
        let entries = newest?.entries.filter { $0.at > now && (kind == nil || $0.kind == kind) } ?? []
        guard !entries.isEmpty else { return nil }
        return Show.Part(
            id: "coming", heading: texts["timeline.coming"], dates: "", facts: [],
            rows: Drawn(entries.map(row)), unfold: nil)
    }

    /// - Parameters:
    ///   - before: the sums of the interval before it; nil for the first.
    ///   - unfold: the address that opens it; nil for an open one.
    func part(
        _ interval: Interval, before: IntervalSums?, kind: TimelineEvent.Kind?, unfold: String?
    ) -> Show.Part {
        let shown = interval.entries.filter { $0.at <= now && (kind == nil || $0.kind == kind) }
        let heading = TimelinePages.heading(interval.begin, interval.end, texts, dates)
        if unfold != nil {
            let facts = shortFacts(interval.sums)
            let more = facts.dropFirst(2).map { " · \($0.number) \($0.text)" }.joined()
            return Show.Part(
                id: interval.anchor, heading: heading, dates: shortDays(interval),
                facts: Array(facts.prefix(2)), more: more.isEmpty ? nil : more, rows: Drawn([]),
                unfold: unfold)
        }
        return Show.Part(
            id: interval.anchor, heading: heading, dates: days(interval),
            // Only the present interval is compared.
            facts: interval.sums.figures(before: interval.end == nil ? before : nil, texts).map {
                Show.Fact(number: $0.value, text: $0.label)
            },
            rows: Drawn(kind == .daily ? shown.map(row) : rows(shown)), unfold: unfold)
    }

    /// `Dienstag, 3. November – Dienstag, 17. November · 14 Tage`.
    private func days(_ interval: Interval) -> String {
        let days = [interval.begin, interval.end].compactMap(\.self).map {
            dates.weekday($0.session.startsAt)
        }
        let stretch = Stretch(begin: interval.begin, end: interval.end)
        let length = stretch.days(dates).map { texts.count("timeline.days", $0) }
        return [days.joined(separator: " – "), length].compactMap(\.self).filter { !$0.isEmpty }
            .joined(separator: " · ")
    }

    /// The same for a line of its own: `Di 3.11. – Di 17.11. · 14 Tage`.
    private func shortDays(_ interval: Interval) -> String {
        let days = [interval.begin, interval.end].compactMap(\.self).map {
            dates.shortDay(LocalTime($0.session.startsAt, dates.zone).date)
        }
        let length = Stretch(begin: interval.begin, end: interval.end).days(dates).map {
            texts.count("timeline.days", $0)
        }
        return [days.joined(separator: " – "), length].compactMap(\.self).filter { !$0.isEmpty }
            .joined(separator: " · ")
    }

    private func shortFacts(_ sums: IntervalSums) -> [Show.Fact] {
        var facts: [Show.Fact] = []
        let add = { (number: String, key: String) in
            facts.append(Show.Fact(number: number, text: texts["timeline.\(key)_short"]))
        }
        if sums.delivered > 0 {
            add(texts.count("timeline.n_of", sums.answered, of: sums.delivered), "prompts")
        }
        if sums.answers > 0 { add(texts.percent(sums.thoughts, of: sums.answers), "thoughts") }
        if let mood = sums.mood { add(texts.number(mood.mean), "mood") }
        if sums.sheets > 0 {
            facts.append(
                Show.Fact(
                    number: String(sums.sheets),
                    text: texts[sums.sheets == 1 ? "timeline.sheets_one" : "timeline.sheets_many"]))
        }
        if sums.given > 0 { add(texts.count("timeline.n_of", sums.completed, of: sums.given), "completed") }
        return facts
    }

    // MARK: Rows

    /// Rows with the dailies of each day merged, at the position of the newest.
    private func rows(_ entries: [TimelineEvent]) -> [Show.Row] {
        let dailies = Dictionary(grouping: entries.filter { $0.kind == .daily }) { day(of: $0) }
        var told: Set<LocalDate> = []
        return entries.compactMap { entry in
            guard entry.kind == .daily else { return row(entry) }
            let day = day(of: entry)
            guard told.insert(day).inserted else { return nil }
            return dayRow(dailies[day] ?? [], on: day)
        }
    }

    private func day(of entry: TimelineEvent) -> LocalDate { LocalTime(entry.at, dates.zone).date }

    /// `3 von 3 · 2-mal gedacht · Stimmung eher gut`.
    private func dayRow(_ entries: [TimelineEvent], on day: LocalDate) -> Show.Row {
        let counted = entries.compactMap(\.contribution?.summary).filter { !$0.isExtra }
        let value = { (sheet: ContributionSummary, scale: String) in
            sheet.scores.first { $0.scale == scale }?.value
        }
        let thoughts = counted.map { (value($0, "thought") ?? 0) > 0 }
        let feelings = counted.compactMap { value($0, "feeling") }
        let answered = texts.count(
            "timeline.n_of", counted.count, of: max(delivered[day] ?? 0, counted.count))
        let words = [answered] + moods.sum(thoughts: thoughts.count { $0 }, feelings)
        return Show.Row(
            kind: "day", when: dates.shortDay(day), machineTime: day.text, title: WrittenText(""), link: nil,
            scores: [],
            basis: nil, summary: nil, badge: nil, tone: "plain",
            day: Show.Day(
                dots: thoughts.reversed(), words: words.joined(separator: " · "), rows: entries.map(row)))
    }

    private func row(_ entry: TimelineEvent) -> Show.Row {
        let badge = events.badge(entry)
        let local = LocalTime(entry.at, dates.zone)
        // Relative to the page: there are many of them.
        let link =
            switch entry.content {
            case .session(let session): "sessions/\(session.session.id)"
            case .phone: "phone-contacts"
            default: entry.contribution.map { "contributions/\($0.summary.id)" }
            }
        return Show.Row(
            kind: entry.kind.rawValue, when: dates.short(local),
            machineTime: dates.machineTime(local),
            title: events.written(entry), link: link,
            scores: events.scores(entry).map { Show.ScoreText(label: $0.label, value: $0.value) },
            basis: events.basis(entry), summary: entry.contribution == nil ? events.summary(entry) : nil,
            badge: badge?.text, tone: badge?.tone ?? "plain")
    }
}

extension TimelinePages {
    /// The name of an interval by its sessions.
    static func heading(
        _ begin: SessionList.Numbered?, _ end: SessionList.Numbered?, _ texts: Texts, _ dates: DateFormat
    ) -> String {
        // Sessions from before the therapy's begin have no number.
        let name = { (session: SessionList.Numbered) in
            session.number.map { texts["sessions.numbered", ["n": String($0)]] }
                ?? texts["sessions.of_day", ["day": dates.day(session.session.startsAt)]]
        }
        switch (begin, end) {
        case (nil, nil): return texts["timeline.heading_none"]
        case (nil, let end?): return texts["timeline.heading_before", ["session": name(end)]]
        case (let begin?, nil): return texts["timeline.heading_since", ["session": name(begin)]]
        case (let begin?, let end?):
            if let first = begin.number, let last = end.number {
                return texts["timeline.heading_between", ["n": String(first), "m": String(last)]]
            }
            return texts["timeline.heading_between_words", ["begin": name(begin), "end": name(end)]]
        }
    }
}
