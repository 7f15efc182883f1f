import Database
import HTTP
import Records
import Responses
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// The parts of the page: one for each interval, with its heading, figures and rows.
extension TimelinePages {
    /// What is still to come, above everything that has happened.
    static func coming(_ newest: Interval?, kind: TimelineEvent.Kind?, _ c: Context<Caseload>) -> Show.Part? {
        let words = TimelineFormatter(texts: c.texts, now: c.now, dates: c.dates)
        let entries = newest?.entries.filter { $0.at > c.now && (kind == nil || $0.kind == kind) } ?? []
        guard !entries.isEmpty else { return nil }
        return Show.Part(
            id: "coming", heading: c.texts["timeline.coming"], dates: "", facts: [],
            rows: Drawn(entries.map { row($0, words, patient: c.proof.patient.id) }))
    }

    static func part(_ interval: Interval, kind: TimelineEvent.Kind?, _ c: Context<Caseload>) -> Show.Part {
        let words = TimelineFormatter(texts: c.texts, now: c.now, dates: c.dates)
        let shown = interval.entries.filter { $0.at <= c.now && (kind == nil || $0.kind == kind) }
        return Show.Part(
            id: interval.begin?.anchor ?? "session-0",
            heading: heading(interval.begin, interval.end, c.texts, c.dates),
            dates: dates(interval, c), facts: facts(interval, c.texts),
            rows: Drawn(shown.map { row($0, words, patient: c.proof.patient.id) }))
    }

    /// What an interval is called by the sessions it lies between.
    static func heading(
        _ begin: SessionList.Numbered?, _ end: SessionList.Numbered?, _ texts: Texts, _ dates: DateFormat
    ) -> String {
        // One from before the therapy's begin has no number.
        let number = { (session: SessionList.Numbered) in
            session.number.map { String($0) }
                ?? texts["sessions.of_day", ["day": dates.day(session.session.startsAt)]]
        }
        switch (begin, end) {
        case (nil, nil): return texts["timeline.heading_none"]
        case (nil, let end?): return texts["timeline.heading_before", ["n": number(end)]]
        case (let begin?, nil): return texts["timeline.heading_since", ["n": number(begin)]]
        case (let begin?, let end?):
            return texts["timeline.heading_between", ["n": number(begin), "m": number(end)]]
        }
    }

    static func dates(_ interval: Interval, _ c: Context<Caseload>) -> String {
        let days = [interval.begin, interval.end].compactMap(\.self).map {
            c.dates.weekday($0.session.startsAt)
        }
        let text = days.joined(separator: " – ")
        return interval.isWhole
            ? text : [text, c.texts["timeline.partial"]].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    static func facts(_ interval: Interval, _ texts: Texts) -> [Show.Fact] {
        // A sum over a part would pass for the whole.
        guard interval.isWhole else { return [] }
        var facts: [Show.Fact] = []
        if interval.delivered > 0 {
            let prompts = texts.count("timeline.n_of", interval.answered, of: interval.delivered)
            facts.append(Show.Fact(number: prompts, text: texts["timeline.prompts"]))
            let thoughts = interval.thoughts
            let thought = texts.count("timeline.n_of", thoughts.yes, of: thoughts.answers)
            facts.append(Show.Fact(number: thought, text: texts["timeline.thoughts"]))
            if let mood = thoughts.mood {
                let basis = texts.count("contributions.items", mood.n, of: thoughts.answers)
                facts.append(
                    Show.Fact(number: texts.number(mood.mean), text: texts["timeline.mood", ["n": basis]]))
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

    static func row(_ entry: TimelineEvent, _ words: TimelineFormatter, patient: ID<Therapy>) -> Show.Row {
        let badge = words.badge(entry)
        let local = LocalTime(entry.at, words.dates.zone)
        let link = entry.contribution.map { "/patients/\(patient)/contributions/\($0.summary.id)" }
        return Show.Row(
            kind: entry.kind.rawValue, when: words.dates.short(local),
            machineTime: words.dates.machineTime(local),
            title: words.title(entry), link: link,
            scores: words.scores(entry).map { Show.ScoreText(label: $0.label, value: $0.value) },
            basis: words.basis(entry), summary: entry.contribution == nil ? words.summary(entry) : nil,
            badge: badge?.text, tone: badge?.tone ?? "plain")
    }
}
