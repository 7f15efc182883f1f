import Database
import HTTP
import Instruments
import Psychometrics
import Questionnaires
import Records
import Scheduling
import Therapies
import Wire
import Wording

/// One scale over time, with the facts about its instrument.
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

    /// Parts of the course without a gap: where no value came for more than twice the usual time between two, a line
    /// would claim unknown values (PR-5). The usual time is the median.
    package static func runs(_ times: [Instant]) -> [Range<Int>] {
        let distances = zip(times, times.dropFirst()).map { $1.seconds - $0.seconds }
        guard distances.count > 1 else { return times.isEmpty ? [] : [0..<times.count] }
        let usual = max(1, distances.sorted()[distances.count / 2])
        var runs: [Range<Int>] = []
        var begin = 0
        for (index, distance) in distances.enumerated() where distance > 2 * usual {
            runs.append(begin..<(index + 1))
            begin = index + 1
        }
        return runs + [begin..<times.count]
    }

    /// The series known at that moment.
    package func until(_ end: Instant) -> ScaleSeries {
        ScaleSeries(questionnaire: questionnaire, scale: scale, points: points.filter { $0.at < end })
    }

    /// The address of the scale's own page (PR-4).
    package func path(of therapy: ID<Therapy>) -> String {
        let key = percentEncoded(questionnaire.key)
        return "/patients/\(therapy)/scales/\(key)/\(percentEncoded(scale.key))"
    }

    package func title(_ language: Language) -> String {
        let own = questionnaire.definition.language(asked: language.rawValue)
        return scale.title[own] ?? scale.key
    }

    /// With the name of its questionnaire.
    package func name(_ language: Language) -> String {
        "\(questionnaire.title(language)) · \(title(language))"
    }
}

/// The newest value of a scale beside the one at the begin and the one before the last session (measurement: "Begin").
package struct ScoreChange: Sendable {
    package let last: ScorePoint
    /// The first from fourteen days before the therapy's begin on; nil when it is the newest itself.
    package let begin: ScorePoint?
    /// The newest completed before the last session's end; nil when it is the newest itself.
    package let beforeSession: ScorePoint?
    /// Whether the newest was completed after the last session; else it was known before (PR-1).
    package let isNew: Bool

    /// Nil without any value.
    /// - Parameter held: the last session that was held.
    package init?(_ series: ScaleSeries, startedOn: LocalDate?, since held: SessionList.Numbered?, zone: Zone)
    {
        self.init(series, startedOn: startedOn, after: held?.session, zone: zone)
    }

    /// The same with the last session itself.
    package init?(_ series: ScaleSeries, startedOn: LocalDate?, after held: Session?, zone: Zone) {
        guard let last = series.points.last else { return nil }
        self.last = last
        isNew = held.map { last.at >= $0.endsAt } ?? true
        let from = Self.begin(of: startedOn, zone: zone)
        let first = series.points.first { $0.at >= from }
        begin = first?.id == last.id ? nil : first
        let before = held.flatMap { held in series.points.last { $0.at < held.endsAt } }
        beforeSession = before?.id == last.id ? nil : before
    }

    /// From when on a value counts as one at the begin.
    static func begin(of startedOn: LocalDate?, zone: Zone) -> Instant {
        startedOn.map { zone.instant($0, hour: 0, minute: 0).adding(days: -14) } ?? .distantPast
    }
}
