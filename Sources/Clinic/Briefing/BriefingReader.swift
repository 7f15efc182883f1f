import Contributions
import Database
import Delivery
import HTTP
import Instruments
import Questionnaires
import Rules
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// Gathers the content of one patient's briefing. It reports only its own time: data since the last session held and,
/// apart from it, what was known before (PR-1).
struct BriefingReader {
    private let c: Context<Caseload>
    private let sessions: SessionList
    /// The past session it is for; nil for the coming one.
    private let past: SessionList.Numbered?
    /// The last one held before it.
    private let base: SessionList.Numbered?
    /// Events since the last session, the newest first.
    private let entries: [TimelineEvent]
    /// The present interval, and the one before it for comparison; nil where that has no begin.
    private let current: (stretch: Stretch, facts: IntervalFacts)
    private let previous: (stretch: Stretch, facts: IntervalFacts)?
    private let scores: [(series: ScaleSeries, change: ScoreChange)]
    private let words: TimelineFormatter
    private let name: PatientName

    typealias Show = BriefingPages.Show

    /// - Parameter past: a held session, for what was known before it; nil for the coming one.
    init(
        _ c: Context<Caseload>, before past: SessionList.Numbered? = nil, _ connection: borrowing Connection
    ) throws {
        self.c = c
        self.past = past
        let therapy = c.proof.patient
        let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        self.sessions = sessions
        let facts = { (stretch: Stretch, connection: borrowing Connection) in
            (stretch, try IntervalFacts(stretch, in: therapy.id, now: c.now, connection))
        }
        let end = past?.session.startsAt ?? .distantFuture
        let held = sessions.held.prefix { $0.session.startsAt < end }
        let base = held.last
        self.base = base
        let running = Stretch(begin: base, end: past)
        current = try facts(running, connection)
        let before = held.dropLast().last.map { Stretch(begin: $0, end: base) }
        previous = try before.map { try facts($0, connection) }
        entries = try TimelineReader(c, connection).entries(
            since: running.from, before: end, sessions, connection)
        let series = try LeadScales.all(of: therapy, c.services.questionnaires, connection)
        scores = series.compactMap { series in
            let known = past.map { series.until($0.session.startsAt) } ?? series
            let change = ScoreChange(
                known, startedOn: therapy.startedOn, since: base, zone: c.dates.zone)
            return change.map { (known, $0) }
        }
        name = try c.patientName()
        words = TimelineFormatter(texts: c.texts, now: c.now, dates: c.dates)
    }

    private var texts: Texts { c.texts }

    func page(_ filled: FormState, _ connection: borrowing Connection) throws -> Show {
        let therapy = c.proof.patient
        let stored = try BriefingStore.find(therapy.id, connection)
        // What was typed before names were hidden on another screen is shown again, and not lost.
        let isHidden = !c.proof.mayName && filled.form.fields.isEmpty
        let own = try stored.map { try $0.words(try therapy.key(c.keys), therapy: therapy.id) } ?? ""
        let field = filled.field(
            "questions", .area, label: "briefing.questions_field", first: own, hint: "briefing.questions_hint"
        )
        let (happened, left) = happened()
        let risks = try RiskReader.all(in: c, connection)
        let shown = scores.prefix(Self.mostMoved)
        let known = shown.filter { !$0.change.isNew }.map(moved)
        // Before the first session there is no begin: a year is enough.
        let measured = try SharedBandView.all(
            c, from: max(current.stretch.from, c.now.adding(days: -366)), until: current.stretch.until(c.now),
            connection)
        return Show(
            id: therapy.id, codename: therapy.codename, title: title, dates: dates, since: since,
            risks: risks, hasRisks: !risks.isEmpty, tiles: tiles(), hasScores: !scores.isEmpty,
            moved: shown.filter(\.change.isNew).map(moved),
            known: known.isEmpty ? nil : Show.Known(moved: known), happened: happened,
            more: left > 0 ? texts.count("briefing.more", left) : nil,
            open: try BriefingOpen(c, next: next).lines(connection),
            measured: measured, hasMeasured: !measured.isEmpty,
            questions: !c.proof.mayName ? [] : own.split(whereSeparator: \.isNewline).map(String.init),
            questionsFrom: isHidden
                ? nil
                : stored.map {
                    texts["briefing.questions_from", ["day": c.dates.day($0.changedAt)]]
                },
            isHidden: isHidden, canWrite: c.proof.standing.isOwner,
            last: !c.proof.mayName ? nil : try LastSession(before: past, sessions, c, connection),
            session: next.map { "\(therapy.path)/sessions/\($0.session.id)" }, field: field,
            foot: texts["briefing.foot", ["at": c.dates.dayAndTime(c.now)]],
            errors: filled.summary)
    }

    // MARK: Head

    private var next: SessionList.Numbered? { sessions.next(after: c.now) }

    private var title: String {
        let codename = name.inWords
        guard let number = next.flatMap(sessions.comingNumber) else {
            return "\(codename) · \(texts["briefing.title"])"
        }
        return "\(codename) · \(texts["sessions.before", ["n": String(number)]])"
    }

    private var dates: String {
        let coming = next.map {
            "\(c.dates.weekday($0.session.startsAt)), \(c.dates.time($0.session.startsAt))"
        }
        let last = base?.lastOn(texts, c.dates)
        return [coming ?? texts["briefing.no_session"], last].compactMap(\.self).joined(separator: " · ")
    }

    private var since: String {
        guard let days = current.stretch.days(c.dates) else { return texts["briefing.since_begin"] }
        let before = previous?.stretch.days(c.dates).map { texts.count("briefing.before_days", $0) }
        return [texts.count("briefing.since_days", days), before].compactMap(\.self).joined(separator: " · ")
    }

    // MARK: Numbers

    private func tiles() -> [Show.Tile] {
        let now = current.facts
        let before = previous?.facts
        var tiles: [Show.Tile] = []
        if !now.dailies.isEmpty || before.map({ !$0.dailies.isEmpty }) ?? false {
            tiles = dailyTiles(now.dailies, before?.dailies)
        }
        tiles.append(
            Show.Tile(
                number: texts.count("timeline.n_of", now.completed, of: now.given),
                text: texts["briefing.interventions"], basis: nil, before: nil))
        return tiles
    }

    /// Shares with their n, beside those of the interval before, whose length may differ.
    private func dailyTiles(_ now: DailyFigures, _ before: DailyFigures?) -> [Show.Tile] {
        let tile = { (text: String, now: (n: Int, of: Int), before: (n: Int, of: Int)?) in
            Show.Tile(
                number: texts.percent(now.n, of: now.of), text: texts[text],
                basis: now.of == 0 ? nil : texts.count("contributions.items", now.n, of: now.of),
                before: before.map { texts["briefing.earlier", ["words": texts.share($0.n, of: $0.of)]] })
        }
        return [
            tile(
                "timeline.prompts", (now.answered, now.delivered), before.map { ($0.answered, $0.delivered) }),
            tile("timeline.thoughts", (now.thoughts, now.answers), before.map { ($0.thoughts, $0.answers) }),
            Show.Tile(
                number: now.mood.map { texts.number($0.mean) } ?? "–", text: texts["briefing.mood"],
                basis: now.mood.map { texts.count("contributions.items", $0.n, of: now.answers) },
                before: before.map {
                    texts["briefing.earlier", ["words": texts.mean($0.mood, of: $0.answers)]]
                }),
        ]
    }

    private static let mostMoved = 6

    private func moved(_ score: (series: ScaleSeries, change: ScoreChange)) -> Show.Moved {
        let (series, change) = score
        let words = ScoreFormatter(texts: texts)
        let changes = words.changes(change, series.scale)
        let last = change.last
        return Show.Moved(
            name: series.name(c.language), link: series.path(of: c.proof.patient.id),
            value: words.ofRange(last.score.value ?? 0, series.scale),
            when: c.dates.shortDay(LocalTime(last.at, c.dates.zone).date),
            basis: texts.count("contributions.questions", last.score.answered, of: last.score.items),
            path: Sparkline.path(series), changes: changes, unjudged: words.unjudged(changes))
    }

    // MARK: Words

    /// The most lines that fit an A4 page.
    private static let mostLines = 10

    private func happened() -> (lines: [Show.Line], left: Int) {
        let entries = entries.filter { entry in
            entry.at <= c.now && entry.kind != .daily && entry.kind != .session && entry.kind != .assignment
        }
        let lines = entries.prefix(Self.mostLines).map { entry in
            let text = words.written(entry).followed(by: detail(entry).map { " · " + $0 } ?? "")
            return Show.Line(when: c.dates.short(entry.at), text: text, state: words.badge(entry)?.text)
        }
        return (lines, entries.count - lines.count)
    }

    private func detail(_ entry: TimelineEvent) -> String? {
        switch entry.content {
        case .contribution:
            let scores = words.scores(entry).map { "\($0.label) \($0.value)" }.joined(separator: ", ")
            return [scores, words.basis(entry) ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
        case .intervention(_, let text, _):
            return texts["rules.quoted", ["text": text.text(in: c.languages) ?? ""]]
        default: return words.summary(entry).flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}
