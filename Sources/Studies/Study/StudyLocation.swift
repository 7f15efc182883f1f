import Database
import Web
import Wire
import Wording

/// Whether a study gets the position with its questionnaires: asked at enrolment with the reason, changed at any time (FD-27).
package enum StudyLocation {
    package enum Choice: String, Sendable, CaseIterable, SQLConvertible { case allowed, refused }
    /// What a device said last.
    package enum Device: String, Sendable, SQLConvertible { case read, refused }

    /// The question in forms: a yes or a no, neither of which stands there before.
    package static func field(_ chosen: Choice?, _ filled: FormState) -> FieldView {
        let texts = filled.texts
        var field = filled.list(
            "location", label: "own_studies.location_allow", first: chosen?.rawValue ?? "",
            [("", texts["own_studies.data_choose"])]
                + Choice.allCases.map { ($0.rawValue, texts["own_studies.location_\($0.rawValue)"]) })
        field.isRequired = true
        field.hint = texts["own_studies.location_allow_hint"]
        return field
    }

    package static func read(_ fields: InputReader, required: Bool) -> Choice? {
        fields.choice("location", from: Enrolment.locations, required: required).flatMap(Choice.init)
    }

    /// Why, in the leads' words or ours.
    package static func reason(_ study: StudyRecord, _ texts: Texts, _ languages: [Language]) -> String {
        study.locationReason.text(in: languages) ?? texts["own_studies.location_reason"]
    }
}
