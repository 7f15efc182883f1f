import Database
import Instruments
import Questionnaires
import Responses
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A session of today in three lines: what moved since the last one, what came in, what is due. Values from before it are
/// told as what is known (PR-1).
struct SessionSummary {
    private let c: Context<Member>
    private let therapy: Therapy
    /// The last session that was held before this one.
    private let held: SessionList.Numbered?

    init(_ c: Context<Member>, _ therapy: Therapy, since held: SessionList.Numbered?) {
        self.c = c
        self.therapy = therapy
        self.held = held
    }

    private var since: Instant { held?.session.startsAt ?? .distantPast }

    /// The newest value, and what moved, each change with the verdict on it.
    struct Headline: Encodable, Sendable {
        let text: String
        let link: String
        /// From before the last session: what is last known, not what moved (PR-1).
        let isKnown: Bool
        let changes: [JudgedChange]

        var words: String {
            let moved = changes.map(\.words).joined(separator: ", ")
            return moved.isEmpty ? text : "\(text) (\(moved))"
        }
    }

    /// What came in and what is due.
    func facts(_ connection: borrowing Connection) throws -> [String] {
        [try came(connection), try due(connection)].compactMap(\.self)
    }

    /// The lead scale that was answered last, with its changes; nil before the first value.
    func headline(_ connection: borrowing Connection) throws -> Headline? {
        let all = try LeadScales.all(of: therapy, c.services.questionnaires, connection)
        guard let series = all.first,
            let change = ScoreChange(
                series, startedOn: therapy.startedOn, since: held, zone: c.dates.zone),
            let value = change.last.score.value
        else { return nil }
        let words = ScoreFormatter(texts: c.texts)
        let day = c.dates.shortDay(LocalTime(change.last.at, c.dates.zone).date)
        let number = words.ofRange(value, series.scale)
        let told = "\(series.name(c.language)) \(number) \(c.texts["figures.on", ["day": day]])"
        return Headline(
            text: change.isNew ? told : c.texts["today.known", ["words": told]],
            link: series.path(of: therapy.id), isKnown: !change.isNew,
            changes: words.changes(change, series.scale))
    }

    private func came(_ connection: borrowing Connection) throws -> String {
        let news = try ContributionStore.count(inTherapy: therapy.id, since: since, connection)
        let dailies = try DailyFigures(
            in: therapy.id, from: since, until: c.now.adding(seconds: 301), now: c.now, connection)
        var words = [c.texts.count("today.news", news)]
        if dailies.delivered > 0 {
            let share = c.texts.share(dailies.answered, of: dailies.delivered)
            words.append("\(share) \(c.texts["timeline.prompts"])")
        }
        if dailies.answers > 0 {
            let share = c.texts.share(dailies.thoughts, of: dailies.answers)
            words.append("\(share) \(c.texts["timeline.thoughts"])")
        }
        return words.joined(separator: " · ")
    }

    private func due(_ connection: borrowing Connection) throws -> String? {
        var words: [String] = []
        for record in try AssignmentStore.open(in: therapy.id, at: c.now, connection) {
            guard record.source != .daily, record.state(at: c.now) == .open,
                let questionnaire = try QuestionnaireStore.find(
                    record.questionnaireID, c.services.questionnaires, connection)
            else { continue }
            let until = c.texts.closing(record.closes, c.dates, in: "briefing.until")
            words.append("\(questionnaire.title(c.language)) \(until)")
        }
        let open = try InterventionStore.all(in: therapy.id, withWithdrawn: false, connection).count {
            $0.completedAt == nil && $0.assignedAt > since
        }
        if open > 0 { words.append(c.texts.count("today.interventions", open)) }
        return words.isEmpty ? nil : c.texts["today.due", ["what": words.joined(separator: ", ")]]
    }
}
