import Contributions
import Database
import Delivery
import Instruments
import Questionnaires
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A session of today in three lines: changes since the last, new answers, due items; known values marked (PR-1).
struct SessionSummary {
    private let c: Context<Member>
    private let therapy: Therapy
    /// The last session held before this one.
    private let held: SessionList.Numbered?

    init(_ c: Context<Member>, _ therapy: Therapy, since held: SessionList.Numbered?) {
        self.c = c
        self.therapy = therapy
        self.held = held
    }

    private var since: Instant { held?.session.startsAt ?? .distantPast }

    /// New answers and due items; and `13 von 20`, answered of the delivered dailies, nil without any.
    func told(_ connection: borrowing Connection) throws -> (facts: [String], asked: String?) {
        let dailies = try DailyFigures(
            in: therapy.id, from: since, until: c.now.adding(seconds: 301), now: c.now, connection)
        let asked =
            dailies.delivered > 0
            ? c.texts.count("contributions.items", dailies.answered, of: dailies.delivered) : nil
        return ([try came(dailies, connection), try due(connection)].compactMap(\.self), asked)
    }

    /// The latest answered lead scale, with its changes; nil before the first value.
    /// - Parameter drawn: the same with the values of its small course.
    func headline(of series: ScaleSeries?, drawn: ScaleSeries?) -> ResultView? {
        guard let series,
            let change = ScoreChange(series, startedOn: therapy.startedOn, since: held, zone: c.dates.zone),
            var result = ResultView(series, change, of: therapy, c.texts)
        else { return nil }
        let day = c.dates.shortDay(LocalTime(change.last.at, c.dates.zone).date)
        result.day = change.isNew ? c.texts["figures.on", ["day": day]] : day
        result.isKnown = !change.isNew
        if let drawn { result.draw(drawn) }
        return result
    }

    private func came(_ dailies: DailyFigures, _ connection: borrowing Connection) throws -> String {
        let news = try ContributionStore.count(inTherapy: therapy.id, since: since, connection)
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
