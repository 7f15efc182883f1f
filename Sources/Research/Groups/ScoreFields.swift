import Studies
import Web
import Wording

/// The fields of one score that allocation is balanced by: the scale, and the upper limits of its bands.
package struct ScoreFields: Encodable, Sendable {
    let scale: FieldView
    let bands: FieldView

    /// - Parameter scales: those of the study, among them the ones of its required baselines.
    static func rows(_ known: [ScoreBands], _ scales: [StudyScale], _ filled: FormState) -> [ScoreFields] {
        let texts = filled.texts
        let choices =
            [("none", texts["studies.stratum_none"])] + scales.filter(\.isBaseline).map { ($0.id, $0.title) }
        return (1...[TrialDesign.Stratum].rows).map { number in
            let stored = known.indices.contains(number - 1) ? known[number - 1] : nil
            let row = "stratum_score_\(number)"
            return ScoreFields(
                scale: filled.list(
                    row, label: "studies.stratum_score",
                    first: stored.map { "\($0.key)/\($0.scale)" } ?? "none",
                    hint: number == 1 ? "studies.stratum_score_hint" : nil, choices),
                bands: filled.field(
                    "\(row)_bands", label: "studies.stratum_limits",
                    first: stored.map { $0.limits.map { TypedNumber.spelled($0) }.joined(separator: " ") }
                        ?? "",
                    hint: number == 1 ? "studies.stratum_limits_hint" : nil))
        }
    }
}
