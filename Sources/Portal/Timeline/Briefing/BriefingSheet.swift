import Database
import Wire

/// Gathers what stands on the briefing of one patient.
struct BriefingSheet {
    private let c: Context<Caseload>
    private let sessions: SessionList
    private let intervals: [Interval]
    private let series: [ScaleSeries]
    private let words: EntryWords

    typealias Show = BriefingPages.Show

    init(_ c: Context<Caseload>, _ connection: borrowing Connection) throws {
        self.c = c
        let therapy = c.proof.patient
        sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        // The interval that runs, and the one before it to compare with.
        let held = sessions.held
        let since = held.dropLast().last?.session.startsAt ?? .distantPast
        let entries = try TimelineReader(c, connection).entries(
            since: since, before: .distantFuture, sessions, connection)
        let dailies = try DailyStore.slots(in: therapy.id, from: since, until: c.now, connection)
        intervals = Interval.cut(
            entries, by: sessions, dailies: dailies, window: since..<Instant.distantFuture)
        series = try LeadScales.all(of: therapy, c.services.questionnaires, connection)
        words = EntryWords(texts: c.texts, now: c.now, dates: c.dates)
    }

    private var texts: Texts { c.texts }
    private var current: Interval? { intervals.first { $0.end == nil } }
    private var previous: Interval? { intervals.first { $0.end != nil && $0.begin != nil && $0.isWhole } }

    func page(_ filled: Filled, _ connection: borrowing Connection) throws -> Show {
        let therapy = c.proof.patient
        let stored = try BriefingStore.find(therapy.id, connection)
        let own = try stored.map { try $0.words(try therapy.key(c.keys), therapy: therapy.id) } ?? ""
        var field = filled.field("questions", label: "briefing.questions_field", first: own)
        (field.isArea, field.hint) = (true, texts["briefing.questions_hint"])
        let (happened, left) = happened()
        return Show(
            id: therapy.id, codename: therapy.codename, title: title, dates: dates, since: since,
            tiles: tiles(),
            moved: series.prefix(Self.mostMoved).map(moved), happened: happened,
            more: left > 0 ? texts.count("briefing.more", left) : nil, open: try open(connection),
            questions: own.split(whereSeparator: \.isNewline).map(String.init),
            questionsFrom: stored.map {
                texts["briefing.questions_from", ["day": c.dates.day($0.changedAt)]]
            },
            field: field, foot: texts["briefing.foot", ["at": c.dates.dayAndTime(c.now)]],
            errors: filled.summary)
    }

    // MARK: Head

    private var next: SessionList.Numbered? { sessions.next(after: c.now) }

    private var title: String {
        let codename = c.proof.patient.codename
        guard let number = next?.number else { return "\(codename) · \(texts["briefing.title"])" }
        return "\(codename) · \(texts["briefing.before_session", ["n": String(number)]])"
    }

    private var dates: String {
        let coming = next.map {
            "\(c.dates.weekday($0.session.startsAt)), \(c.dates.time($0.session.startsAt))"
        }
        let last = sessions.last.map {
            texts["briefing.last_session", ["day": c.dates.longDay($0.session.startsAt)]]
        }
        return [coming ?? texts["briefing.no_session"], last].compactMap(\.self).joined(separator: " · ")
    }

    private var since: String {
        guard let last = sessions.last else { return texts["briefing.since_begin"] }
        let (from, to) = (LocalTime(last.session.startsAt, c.dates.zone).date, c.dates.today)
        return texts.count("briefing.since_days", Int(to.daysSince1970 - from.daysSince1970))
    }

    // MARK: Numbers

    private func tiles() -> [Show.Tile] {
        guard let current else { return [] }
        let thoughts = current.thoughts
        let before = previous
        let earlier = { (words: String?) in
            words.map { texts["briefing.earlier", ["words": $0]] }
        }
        let ratio = { (n: Int, of: Int) in texts.count("timeline.n_of", n, of: of) }
        var tiles = [
            Show.Tile(
                number: ratio(current.answered, current.delivered), text: texts["timeline.prompts"],
                before: earlier(before.map { ratio($0.answered, $0.delivered) })),
            Show.Tile(
                number: "\(thoughts.yes)×", text: texts["timeline.thoughts"],
                before: earlier(before.map { "\($0.thoughts.yes)×" })),
        ]
        let mood = { (interval: Interval) -> String? in
            interval.thoughts.mood.map { "\(texts.number($0)) (\(interval.thoughts.moods))" }
        }
        tiles.append(
            Show.Tile(
                number: mood(current) ?? "–", text: texts["briefing.mood"],
                before: earlier(before.flatMap(mood))))
        let given = current.entries.count { $0.intervention.map { $0.withdrawnAt == nil } ?? false }
        tiles.append(
            Show.Tile(
                number: ratio(current.completed, given), text: texts["briefing.interventions"], before: nil))
        return tiles
    }

    private static let mostMoved = 6

    private func moved(_ series: ScaleSeries) -> Show.Moved {
        let change = ScoreChange(
            series, startedOn: c.proof.patient.startedOn, sessions: sessions, zone: c.dates.zone)
        let (text, tone) = change.map { ScoreWords(texts: texts).change($0, series.scale) } ?? ("", "plain")
        return Show.Moved(
            name: series.name(c.language), value: texts.number(change?.last.score.value ?? 0),
            path: Sparkline.path(series),
            change: text, tone: tone)
    }

    // MARK: Words

    /// As many lines as an A4 page bears.
    private static let mostLines = 10

    private func happened() -> (lines: [Show.Line], left: Int) {
        let entries = (current?.entries ?? []).filter { entry in
            entry.at <= c.now && entry.kind != .daily && entry.kind != .session && entry.kind != .assignment
        }
        let lines = entries.prefix(Self.mostLines).map { entry in
            let text = [words.title(entry), detail(entry)].compactMap(\.self).joined(separator: " · ")
            return Show.Line(when: c.dates.short(entry.at), text: text, state: words.badge(entry)?.text)
        }
        return (lines, entries.count - lines.count)
    }

    private func detail(_ entry: Entry) -> String? {
        switch entry.kind {
        case .contribution:
            let scores = words.scores(entry).map { "\($0.label) \($0.value)" }.joined(separator: ", ")
            return [scores, words.basis(entry) ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
        case .intervention: return entry.text.map { "„\($0.text(in: c.language))“" }
        default: return words.summary(entry).flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// What waits for the patient, and the next appointment.
    private func open(_ connection: borrowing Connection) throws -> [Show.Line] {
        var lines: [Show.Line] = []
        for record in try AssignmentStore.all(in: c.proof.patient.id, connection) {
            let state = record.state(at: c.now)
            guard record.source != .daily, state == .open || state == .coming,
                let questionnaire = try QuestionnaireStore.find(
                    record.questionnaireID, c.services.questionnaires, connection)
            else { continue }
            lines.append(
                Show.Line(
                    when: texts["briefing.until", ["when": c.dates.short(record.dueAt)]],
                    text: questionnaire.title(c.language), state: texts["assignments.state_\(state.rawValue)"]
                ))
        }
        if let next {
            lines.append(
                Show.Line(
                    when: c.dates.short(next.session.startsAt), text: texts["briefing.next_appointment"],
                    state: nil))
        }
        return Array(lines.prefix(6))
    }
}
