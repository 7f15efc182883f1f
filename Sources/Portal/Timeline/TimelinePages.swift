import HTTP
import Templates
import Wire

/// The intersession timeline: time cut by the sessions, everything between two of them under its interval.
enum TimelinePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/timeline", .caseload, show)
    }

    /// How many answer sheets a page shows at most; older ones are a link away.
    static let pageSize = 120

    struct Show: Page {
        static let template = "timeline/show"
        static let section: Section? = .patients
        let head: PatientHead
        let filters: [PageLink]
        let intervals: [Part]
        let older: String?
        let isEmpty: Bool

        struct Part: Encodable, Sendable {
            let heading: String
            let dates: String
            let facts: [Fact]
            let rows: Drawn<Row>
        }
        struct Fact: Encodable, Sendable {
            let number: String
            let text: String
        }
        struct Row: Drawable {
            let kind: String
            let when: String
            let machineTime: String
            let title: String
            let link: String?
            let scores: [ScoreText]
            /// How many of the questions were answered.
            let basis: String?
            let summary: String?
            let badge: String?
            let tone: String

            private static let names = [
                "kind", "when", "machineTime", "title", "link", "scores", "basis", "summary", "badge", "tone",
            ]
            var drawn: Value {
                let values: [Value] = [
                    .text(kind), .text(when), .text(machineTime), .text(title), .text(link),
                    .list(scores.map(\.drawn)),
                    .text(basis), .text(summary), .text(badge), .text(tone),
                ]
                return .record(Record(names: Self.names, values: values))
            }
        }
        struct ScoreText: Drawable {
            let label: String
            let value: String

            private static let names = ["label", "value"]
            var drawn: Value { .record(Record(names: Self.names, values: [.text(label), .text(value)])) }
        }

        static let example = Show(
            head: .example, filters: [PageLink(label: "Alles", path: "?", isCurrent: true)],
            intervals: [
                Part(
                    heading: "Seit Sitzung 11", dates: "Dienstag, 17. November",
                    facts: [Fact(number: "10 von 11", text: "Abfragen beantwortet")],
                    rows: Drawn([
                        Row(
                            kind: "contribution", when: "Di 17.11. 08:12", machineTime: "2026-11-17T08:12",
                            title: "ISF-K", link: nil, scores: [ScoreText(label: "Intensität", value: "2,7")],
                            basis: "8 von 8", summary: nil, badge: nil, tone: "plain")
                    ]))
            ], older: nil, isEmpty: false)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let kind = c.request.query["kind"].flatMap(Entry.Kind.init(rawValue:))
        let before = c.request.query["before"].flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
        let page = try c.read { connection -> Show in
            let sessions = try SessionStore.list(of: c.proof.patient, c.dates.zone, now: c.now, connection)
            let (entries, next) = try TimelineReader(c, connection).page(
                before: before ?? .distantFuture, limit: pageSize, sessions, connection)
            let window = (next ?? .distantPast)..<(before ?? .distantFuture)
            let dailies = try DailyStore.slots(
                in: c.proof.patient.id, from: window.lowerBound, until: min(window.upperBound, c.now),
                connection)
            let intervals = Interval.cut(entries, by: sessions, dailies: dailies, window: window)
            return show(
                intervals, next: next, kind: kind, head: PatientHead.make(c, tab: .timeline, sessions),
                c)
        }
        return .page(page)
    }

    private static func show(
        _ intervals: [Interval], next: Instant?, kind: Entry.Kind?, head: PatientHead, _ c: Context<Caseload>
    ) -> Show {
        let path = "/patients/\(c.proof.patient.id)/timeline"
        let query = kind.map { "&kind=\($0.rawValue)" } ?? ""
        let parts =
            [coming(intervals.first, kind: kind, c)].compactMap(\.self)
            + intervals.map { part($0, kind: kind, c) }
        return Show(
            head: head, filters: filters(kind, path, c.texts),
            intervals: parts.filter { kind == nil || !$0.rows.isEmpty },
            older: next.map { "\(path)?before=\($0.milliseconds)\(query)" },
            isEmpty: parts.allSatisfy(\.rows.isEmpty))
    }

    private static func filters(_ current: Entry.Kind?, _ path: String, _ texts: Texts) -> [PageLink] {
        let kinds: [Entry.Kind] = [.contribution, .daily, .assignment, .intervention, .alert, .session]
        let all = PageLink(label: texts["timeline.filter_all"], path: path, isCurrent: current == nil)
        return [all]
            + kinds.map { kind in
                PageLink(
                    label: texts["timeline.filter_\(kind.rawValue)"], path: "\(path)?kind=\(kind.rawValue)",
                    isCurrent: kind == current)
            }
    }

    /// What is still to come, above everything that has happened.
    private static func coming(_ newest: Interval?, kind: Entry.Kind?, _ c: Context<Caseload>) -> Show.Part? {
        let words = EntryWords(texts: c.texts, now: c.now, dates: c.dates)
        let entries = newest?.entries.filter { $0.at > c.now && (kind == nil || $0.kind == kind) } ?? []
        guard !entries.isEmpty else { return nil }
        return Show.Part(
            heading: c.texts["timeline.coming"], dates: "", facts: [],
            rows: Drawn(entries.map { row($0, words, patient: c.proof.patient.id) }))
    }

    private static func part(_ interval: Interval, kind: Entry.Kind?, _ c: Context<Caseload>) -> Show.Part {
        let words = EntryWords(texts: c.texts, now: c.now, dates: c.dates)
        let shown = interval.entries.filter { $0.at <= c.now && (kind == nil || $0.kind == kind) }
        return Show.Part(
            heading: heading(interval, c.texts), dates: dates(interval, c), facts: facts(interval, c.texts),
            rows: Drawn(shown.map { row($0, words, patient: c.proof.patient.id) }))
    }

    private static func heading(_ interval: Interval, _ texts: Texts) -> String {
        let number = { (session: SessionList.Numbered?) in session?.number.map { String($0) } ?? "–" }
        switch (interval.begin, interval.end) {
        case (nil, nil): return texts["timeline.heading_none"]
        case (nil, let end?): return texts["timeline.heading_before", ["n": number(end)]]
        case (let begin?, nil): return texts["timeline.heading_since", ["n": number(begin)]]
        case (let begin?, let end?):
            return texts["timeline.heading_between", ["n": number(begin), "m": number(end)]]
        }
    }

    private static func dates(_ interval: Interval, _ c: Context<Caseload>) -> String {
        let days = [interval.begin, interval.end].compactMap(\.self).map {
            c.dates.weekday($0.session.startsAt)
        }
        let text = days.joined(separator: " – ")
        return interval.isWhole
            ? text : [text, c.texts["timeline.partial"]].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private static func facts(_ interval: Interval, _ texts: Texts) -> [Show.Fact] {
        // A sum over a part would pass for the whole.
        guard interval.isWhole else { return [] }
        var facts: [Show.Fact] = []
        if interval.delivered > 0 {
            let number = texts[
                "timeline.n_of", ["n": String(interval.answered), "of": String(interval.delivered)]]
            facts.append(Show.Fact(number: number, text: texts["timeline.prompts"]))
            let thoughts = interval.thoughts
            facts.append(Show.Fact(number: "\(thoughts.yes)×", text: texts["timeline.thoughts"]))
            if let mood = thoughts.mood {
                facts.append(
                    Show.Fact(
                        number: texts.number(mood),
                        text: texts["timeline.mood", ["n": String(thoughts.moods)]]))
            }
        }
        if interval.sheets > 0 {
            facts.append(
                Show.Fact(
                    number: String(interval.sheets),
                    text: texts[interval.sheets == 1 ? "timeline.sheets_one" : "timeline.sheets_many"]))
        }
        if interval.completed > 0 {
            facts.append(
                Show.Fact(
                    number: String(interval.completed),
                    text: texts[
                        interval.completed == 1 ? "timeline.completed_one" : "timeline.completed_many"]))
        }
        return facts
    }

    private static func row(_ entry: Entry, _ words: EntryWords, patient: String) -> Show.Row {
        let (badge, local) = (words.badge(entry), LocalTime(entry.at, words.dates.zone))
        let link = entry.sheet.map { "/patients/\(patient)/contributions/\($0.id)" }
        return Show.Row(
            kind: entry.kind.rawValue, when: words.dates.short(local),
            machineTime: words.dates.machineTime(local),
            title: words.title(entry), link: link,
            scores: words.scores(entry).map { Show.ScoreText(label: $0.label, value: $0.value) },
            basis: words.basis(entry), summary: entry.sheet == nil ? words.summary(entry) : nil,
            badge: badge?.text, tone: badge?.tone ?? "plain")
    }
}
