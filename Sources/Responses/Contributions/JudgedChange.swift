import Questionnaires
import Wording

/// A difference between two values with the verdict on it: what moved from where, and what that difference alone means.
/// Every page that tells a change tells it so, and nowhere does a verdict stand by itself.
package struct JudgedChange: Encodable, Sendable {
    package let difference: String
    /// Since when.
    package let label: String
    /// Nil without the instrument's figures.
    package let verdict: String?
    package let tone: String

    package init(difference: String, label: String, verdict: String? = nil, tone: String = "plain") {
        self.difference = difference
        self.label = label
        self.verdict = verdict
        self.tone = tone
    }

    /// `+8 seit Beginn: reliabel verschlechtert`.
    package var words: String {
        ["\(difference) \(label)", verdict].compactMap(\.self).joined(separator: ": ")
    }

    package static let example = JudgedChange(
        difference: "+1,6", label: "seit Beginn", verdict: "reliabel verschlechtert", tone: "danger")
}

extension ScoreFormatter {
    /// What changed since the last session, as far as the newest value is from after it, and since the begin.
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

    /// Why nothing is judged: it is the first value, or the instrument's figures are not known; nil where it is.
    package func unjudged(_ changes: [JudgedChange]) -> String? {
        if changes.isEmpty { return texts["charts.first_value"] }
        return changes.contains { $0.verdict != nil } ? nil : texts["charts.no_figures"]
    }

    private static func tone(_ verdict: ClinicalChange) -> String {
        switch verdict {
        case .recovered, .improved: "good"
        case .deteriorated: "danger"
        case .unchanged: "plain"
        }
    }
}
