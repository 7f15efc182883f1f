import Questionnaires
import Wording

/// A difference between two values of a scale with its verdict, which judges that difference alone. Every page shows
/// changes in this form, and no page shows a verdict by itself.
package struct JudgedChange: Encodable, Sendable {
    package let difference: String
    /// The start of the comparison.
    package let label: String
    /// Nil without the instrument's figures.
    package var verdict: String?
    package var tone = "plain"

    /// `+8 seit Beginn: reliabel verschlechtert`.
    package var words: String {
        ["\(difference) \(label)", verdict].compactMap(\.self).joined(separator: ": ")
    }
}

extension ScoreFormatter {
    /// The changes since the last session, where the newest value is from after it, and since the begin.
    package func changes(_ change: ScoreChange, _ scale: Scale) -> [JudgedChange] {
        [("patients.since_session", change.beforeSession), ("patients.since_begin", change.begin)].compactMap
        {
            label, from in
            guard let from = from?.score.value, let to = change.last.score.value else { return nil }
            let verdict = ClinicalChange(scale, from: from, to: to)
            return JudgedChange(
                difference: signed(to - from), label: texts[label],
                verdict: verdict.map { texts["charts.class_\($0.rawValue)"] },
                tone: verdict.map(Self.tone) ?? "plain")
        }
    }

    /// Why there is no verdict: it is the first value, or the instrument's figures are unknown; nil where there is one.
    package func unjudged(_ changes: [JudgedChange]) -> String? {
        if changes.isEmpty { return texts["charts.first_value"] }
        return changes.contains { $0.verdict != nil } ? nil : texts["charts.no_figures"]
    }

    /// The colour of a verdict.
    package static func tone(_ verdict: ClinicalChange) -> String {
        switch verdict {
        case .recovered, .improved: "good"
        case .deteriorated: "danger"
        case .unchanged: "plain"
        }
    }
}
