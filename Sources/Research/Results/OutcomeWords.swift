import Studies
import Web
import Wording

/// Says when outcomes are measured, their day or the title of their time point, and what the groups are called.
struct OutcomeWords {
    let points: [TimePoint]
    let languages: [Language]
    let texts: Texts
    let arms: ArmWords

    /// - Parameter groups: of the study; nil without any.
    init(_ c: Context<StudyLead>, _ groups: TrialDesign?) {
        points = c.proof.study.timePoints
        languages = c.languages
        texts = c.texts
        arms = ArmWords(groups?.arms ?? [], in: c.languages, c.texts)
    }

    func when(_ outcome: TrialDesign.Outcome) -> String {
        switch outcome.when {
        case .day(let day): return texts["studies.on_day", ["n": String(day)]]
        case .timePoint(let key, let value):
            let source = outcome.source == .therapy ? texts["studies.outcome_of_therapy"] : nil
            let said = value.map { texts["studies.outcome_value_\($0.rawValue)"] }
            return [title(key), source, said].compactMap(\.self).joined(separator: ", ")
        }
    }

    /// The title of a time point.
    func title(_ key: String) -> String { points[key]?.title.text(in: languages) ?? key }
}
