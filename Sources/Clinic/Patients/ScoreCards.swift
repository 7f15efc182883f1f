import Contributions
import Database
import Instruments
import Questionnaires
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The newest value of every scale, those of a questionnaire together, with its change since the begin and since the last session.
enum ScoreCards {
    static func make(
        _ c: Context<Caseload>, _ sessions: SessionList, _ connection: borrowing Connection
    ) throws -> [PatientShow.Questionnaire] {
        let therapy = c.proof.patient
        var all: [PatientShow.Questionnaire] = []
        var left = mostCards
        let points = try ContributionStore.series(
            exceptKey: DailyPlan.questionnaireKey, inTherapy: therapy.id, connection)
        let byKey = Dictionary(grouping: points, by: \.key)
        let cache = c.services.questionnaires
        // Answers stay readable after their questionnaire was retired.
        let known =
            try QuestionnaireStore.newest(cache, connection) + QuestionnaireStore.retired(cache, connection)
        for questionnaire in known {
            // Dailies belong on the timeline; a single one is no summary.
            guard questionnaire.key != DailyPlan.questionnaireKey, let series = byKey[questionnaire.key]
            else {
                continue
            }
            let scales = questionnaire.definition.scales.compactMap { scale -> PatientShow.Card? in
                let points = series.filter { $0.score.scale == scale.key && $0.score.value != nil }
                guard let last = points.last else { return nil }
                return card(questionnaire, scale, last, points, sessions, c)
            }
            let shown = scales.prefix(left)
            left -= shown.count
            if shown.isEmpty { continue }
            all.append(.init(title: questionnaire.written(on: c.language), scales: Array(shown)))
        }
        return all
    }

    private static let mostCards = 8

    private static func card(
        _ questionnaire: QuestionnaireRecord, _ scale: Scale, _ last: ScorePoint, _ points: [ScorePoint],
        _ sessions: SessionList,
        _ c: Context<Caseload>
    ) -> PatientShow.Card {
        let texts = c.texts
        let definition = questionnaire.definition
        let language = definition.language(asked: c.language.rawValue)
        let series = ScaleSeries(questionnaire: questionnaire, scale: scale, points: points)
        let change = ScoreChange(
            series, startedOn: c.proof.patient.startedOn, since: sessions.last, zone: c.dates.zone)
        let words = ScoreFormatter(texts: texts)
        let counts = ["n": String(last.score.answered), "of": String(last.score.items)]
        let drawn = Sparkline.drawn(series)
        return PatientShow.Card(
            scale: scale.title[language] ?? scale.key,
            path: series.path(of: c.proof.patient.id), value: texts.number(last.score.value ?? 0),
            range: words.range(scale), direction: words.direction(scale),
            basis: "\(c.dates.short(last.at)) · \(texts["contributions.questions", counts])",
            course: drawn.path, end: drawn.end,
            changes: change.map { words.changes($0, scale) } ?? [], formula: words.formula(scale, definition))
    }
}
