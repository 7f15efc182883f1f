import Database
import Instruments
import Questionnaires
import Scheduling
import Therapies
import Wire

/// The scales that represent their questionnaires.
package enum LeadScales {
    /// The first scale of each answered questionnaire, the latest answered first.
    package static func all(
        of therapy: Therapy, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [ScaleSeries] {
        let known =
            try QuestionnaireStore.newest(cache, connection) + QuestionnaireStore.retired(cache, connection)
        let all = try ContributionStore.series(
            exceptKey: DailyPlan.questionnaireKey, inTherapy: therapy.id, connection)
        let byKey = Dictionary(grouping: all, by: \.key)
        var series: [ScaleSeries] = []
        for questionnaire in known where questionnaire.key != DailyPlan.questionnaireKey {
            guard let scale = questionnaire.definition.scales.first, let points = byKey[questionnaire.key]
            else { continue }
            let own = points.filter { $0.score.scale == scale.key && $0.score.value != nil }
            if own.isEmpty { continue }
            series.append(ScaleSeries(questionnaire: questionnaire, scale: scale, points: own))
        }
        return series.sorted { ($0.points.last?.at ?? .distantPast) > ($1.points.last?.at ?? .distantPast) }
    }
}
