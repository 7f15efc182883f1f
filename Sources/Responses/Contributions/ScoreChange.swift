import Database
import Instruments
import Psychometrics
import Questionnaires
import Scheduling
import Therapies
import Wire
import Wording

/// One scale over time, with what is known of the instrument.
package struct ScaleSeries: Sendable {
    package let questionnaire: QuestionnaireRecord
    package let scale: Scale
    /// Only those with a value.
    package let points: [ScorePoint]

    package init(questionnaire: QuestionnaireRecord, scale: Scale, points: [ScorePoint]) {
        self.questionnaire = questionnaire
        self.scale = scale
        self.points = points
    }

    package func title(_ language: Language) -> String {
        let own = questionnaire.definition.language(asked: language.rawValue)
        return scale.title[own] ?? scale.key
    }

    /// With the questionnaire it belongs to.
    package func name(_ language: Language) -> String {
        "\(questionnaire.title(language)) · \(title(language))"
    }
}

/// The newest value of a scale beside the one at the begin and the one before the last session (measurement: "Begin").
package struct ScoreChange: Sendable {
    package let last: ScorePoint
    /// The first from fourteen days before the therapy's begin on; nil when it is the newest itself.
    package let begin: ScorePoint?
    /// The newest that was completed before the last session's end; nil when it is the newest itself.
    package let beforeSession: ScorePoint?
    /// Whether the newest was completed after the last session; else it is what is known from before (PR-1).
    package let isNew: Bool

    /// Nil without any value.
    /// - Parameter held: the last session that was held.
    package init?(_ series: ScaleSeries, startedOn: LocalDate?, since held: SessionList.Numbered?, zone: Zone)
    {
        guard let last = series.points.last else { return nil }
        self.last = last
        isNew = held.map { last.at >= $0.session.endsAt } ?? true
        let from =
            startedOn.map { zone.instant($0, hour: 0, minute: 0).adding(days: -14) } ?? .distantPast
        let first = series.points.first { $0.at >= from }
        begin = first?.id == last.id ? nil : first
        let before = held.flatMap { held in series.points.last { $0.at < held.session.endsAt } }
        beforeSession = before?.id == last.id ? nil : before
    }

    private func difference(from point: ScorePoint?) -> Double? {
        guard let from = point?.score.value, let to = last.score.value else { return nil }
        return to - from
    }

    package var sinceBegin: Double? { difference(from: begin) }
    package var sinceSession: Double? { difference(from: beforeSession) }
}

/// Changes of a scale in words; a verdict only where the instrument's figures are known.
package struct ScoreWords: Sendable {
    package let texts: Texts

    package init(texts: Texts) {
        self.texts = texts
    }

    /// `+0,4`, `−1`, `0`.
    package func signed(_ difference: Double) -> String {
        let number = texts.number(difference)
        return difference > 0 && number != "0" ? "+" + number : number
    }

    /// What changed, and the colour of it: since the last session as far as the value is from after it, and since the
    /// begin with its class.
    package func change(_ change: ScoreChange, _ scale: Scale) -> (text: String, tone: String) {
        var words: [String] = []
        // There may be older values, from before the therapy.
        if let difference = change.sinceSession {
            words.append("\(signed(difference)) \(texts["patients.since_session"])")
        }
        guard let difference = change.sinceBegin else {
            return (words.first ?? texts["charts.first_value"], "plain")
        }
        let verdict = verdict(change, scale)
        let judged = verdict.map { ": \(texts["charts.class_\($0.rawValue)"])" }
        words.append("\(signed(difference)) \(texts["patients.since_begin"])\(judged ?? "")")
        if verdict == nil { words.append(texts["charts.no_figures"]) }
        return (words.joined(separator: " · "), verdict.map(Self.tone) ?? "plain")
    }

    /// What became of it since the begin; nil without a begin or without the instrument's figures.
    package func verdict(_ change: ScoreChange, _ scale: Scale) -> ClinicalChange? {
        guard let first = change.begin?.score.value, let last = change.last.score.value else { return nil }
        return ClinicalChange(scale, from: first, to: last)
    }

    /// How a verdict is reached, with the instrument's figures and where they come from; or why there is none.
    package func formula(_ scale: Scale, _ definition: QuestionnaireDefinition) -> String {
        guard let change = ReliableChange(scale), let deviation = scale.standardDeviation,
            let reliability = scale.reliability
        else { return texts["charts.formula_none"] }
        let values = [
            "points": texts.number(change.criterion, digits: 2), "sd": texts.number(deviation, digits: 2),
            "r": texts.number(reliability, digits: 2),
            "source": definition.citation ?? definition.origin ?? "–",
            "cutoff": scale.cutoff.map { texts["charts.cutoff_is", ["value": texts.number($0)]] } ?? "",
        ]
        return texts["charts.formula", values]
    }

    package static func tone(_ verdict: ClinicalChange) -> String {
        switch verdict {
        case .recovered, .improved: "good"
        case .deteriorated: "warn"
        case .unchanged: "plain"
        }
    }
}

/// The scales that speak for their questionnaires.
package enum LeadScales {
    /// The first scale of each questionnaire that was answered, the one answered last first.
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
