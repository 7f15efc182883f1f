import Database
import Instruments
import Questionnaires
import Records
import Scheduling
import Therapies
import Wire

extension LeadScales {
    /// The same of many therapies by one statement. Each series holds only the values that its changes are counted
    /// from, so it can be judged but not drawn.
    /// - Parameters:
    ///   - held: the end of each therapy's last session; only where changes since then are wanted.
    ///   - asked: the questionnaires in question, by key; nil for all.
    package static func abridged(
        of therapies: [Therapy], held: [ID<Therapy>: Instant] = [:], only asked: Set<String>? = nil,
        zone: Zone, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: [ScaleSeries]] {
        let known =
            try QuestionnaireStore.newest(cache, connection) + QuestionnaireStore.retired(cache, connection)
        var leads: [String: (questionnaire: QuestionnaireRecord, scale: Scale)] = [:]
        for questionnaire in known where questionnaire.key != DailyPlan.questionnaireKey {
            guard asked?.contains(questionnaire.key) ?? true else { continue }
            if let scale = questionnaire.definition.scales.first {
                leads[questionnaire.key] = (questionnaire, scale)
            }
        }
        let paired = therapies.filter { $0.accountID != nil }
        if leads.isEmpty || paired.isEmpty { return [:] }
        let frames = paired.map { therapy in
            SeriesFrame(
                therapy.id, begins: ScoreChange.begin(of: therapy.startedOn, zone: zone),
                held: held[therapy.id] ?? .distantPast)
        }
        let points = try ContributionStore.abridged(
            frames, leads: leads.sorted { $0.key < $1.key }.map { ($0.key, $0.value.scale.key) }, connection)
        return Dictionary(grouping: points, by: \.therapy).mapValues { own in
            let byKey = Dictionary(grouping: own.map(\.point), by: \.key)
            return byKey.compactMap { key, points -> ScaleSeries? in
                guard let lead = leads[key] else { return nil }
                let values = points.filter { $0.score.value != nil }
                if values.isEmpty { return nil }
                return ScaleSeries(questionnaire: lead.questionnaire, scale: lead.scale, points: values)
            }.sorted(by: isLater)
        }
    }

    /// The same scales with their newest values, as many as a small course shows: by one statement for all therapies.
    /// Each ends with the value that the series given ends with.
    package static func courses(
        of series: [ID<Therapy>: ScaleSeries], _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: ScaleSeries] {
        let places = series.map { therapy, series in
            SeriesPlace(therapy: therapy, key: series.questionnaire.key, scale: series.scale.key)
        }
        if places.isEmpty { return [:] }
        let points = try ContributionStore.newest(
            places.sorted { $0.therapy < $1.therapy }, most: Sparkline.most, connection)
        return Dictionary(grouping: points, by: \.therapy).reduce(into: [:]) { courses, own in
            guard let lead = series[own.key] else { return }
            courses[own.key] = ScaleSeries(
                questionnaire: lead.questionnaire, scale: lead.scale, points: own.value.map(\.point))
        }
    }

    /// The latest answered first; of one moment by key.
    private static func isLater(_ first: ScaleSeries, _ second: ScaleSeries) -> Bool {
        let moments = (first.points.last?.at ?? .distantPast, second.points.last?.at ?? .distantPast)
        return moments.0 == moments.1
            ? first.questionnaire.key < second.questionnaire.key : moments.0 > moments.1
    }
}
