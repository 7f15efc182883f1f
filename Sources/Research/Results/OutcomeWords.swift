import Studies
import Web
import Wording

/// Says when outcomes are measured: their day, or the title of their time point.
struct OutcomeWords {
    let points: [TimePoint]
    let languages: [Language]
    let texts: Texts

    init(_ c: Context<StudyLead>) {
        points = c.proof.study.timePoints
        languages = c.languages
        texts = c.texts
    }

    func when(_ outcome: TrialDesign.Outcome) -> String {
        switch outcome.when {
        case .day(let day): return texts["studies.on_day", ["n": String(day)]]
        case .timePoint(let key, let value):
            guard let value else { return title(key) }
            return "\(title(key)), \(texts["studies.outcome_value_\(value.rawValue)"])"
        }
    }

    /// The title of a time point.
    func title(_ key: String) -> String { points[key]?.title.text(in: languages) ?? key }
}
