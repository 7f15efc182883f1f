import Studies
import Web
import Wording

/// The fields of one outcome in the form of a study's groups.
package struct OutcomeFields: Encodable, Sendable {
    package let scale: FieldView
    package let day: FieldView
    /// Nil in a study without time points, like the value.
    let timePoint: FieldView?
    let value: FieldView?
    let primary: FieldView

    private static let least = 3
    private static let spareRows = 2

    /// One for each outcome, and some that are empty.
    static func rows(
        _ known: [TrialDesign.Outcome], _ scales: [StudyScale], _ words: OutcomeWords, _ filled: FormState
    ) -> [OutcomeFields] {
        (1...max(least, known.count + spareRows)).map { number in
            let outcome = known.indices.contains(number - 1) ? known[number - 1] : nil
            let isPrimary = outcome?.isPrimary ?? (known.isEmpty && number == 1)
            return OutcomeFields(
                outcome, named: "outcome_\(number)", isPrimary: isPrimary, scales: scales, words: words,
                filled: filled)
        }
    }

    private init(
        _ outcome: TrialDesign.Outcome?, named name: String, isPrimary: Bool, scales: [StudyScale],
        words: OutcomeWords, filled: FormState
    ) {
        let texts = filled.texts
        let first = outcome.flatMap { outcome in scales.first { $0.isNamed(by: outcome) }?.id } ?? "none"
        scale = filled.list(
            name, label: "studies.outcome_scale", first: first,
            [("none", texts["studies.no_outcome"])]
                + scales.map { scale in
                    let isOwn = scale.source == .study
                    return (
                        scale.id,
                        isOwn ? scale.title : texts["studies.outcome_therapy_scale", ["scale": scale.title]]
                    )
                })
        day = filled.field(
            "\(name)_day", .whole, label: "studies.outcome_day",
            first: outcome?.day.map { String($0) } ?? "")
        primary = filled.box("\(name)_primary", label: "studies.outcome_primary", isOn: isPrimary)
        let isTimed = !words.points.isEmpty
        timePoint =
            isTimed
            ? filled.list(
                "\(name)_time_point", label: "studies.outcome_time_point",
                first: outcome?.timePoint ?? "none",
                [("none", texts["studies.no_time_point"])]
                    + words.points.map { ($0.key, words.title($0.key)) })
            : nil
        value =
            isTimed
            ? filled.list(
                "\(name)_value", label: "studies.outcome_value",
                first: outcome?.value?.rawValue ?? "default",
                (["default"] + TrialDesign.Outcome.Value.allCases.map(\.rawValue)).map {
                    ($0, texts["studies.outcome_value_\($0)"])
                })
            : nil
    }
}
