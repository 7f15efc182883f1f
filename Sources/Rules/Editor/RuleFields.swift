import HTTP
import Records
import Web
import Wording

/// The editor's fields outside of the sentences.
enum RuleFields {
    static func name(_ filled: FormState) -> FieldView {
        filled.field("name", label: "rules.name", required: true)
    }

    static func combine(_ filled: FormState) -> FieldView {
        select("combine", "rules.combine", ["all", "any"], filled)
    }

    static func reach(_ filled: FormState) -> FieldView {
        select("reach", "rules.reach", ["all", "chosen", "protocols"], filled)
    }

    static func adding(_ filled: FormState) -> FieldView {
        var view = FieldView(name: "add_kind", label: filled.texts["rules.add_kind"], isSelect: true)
        view.choices = RuleEditForm.kinds.map {
            .init(value: $0, label: filled.texts["rules.kind_\($0)"], isChosen: $0 == RuleEditForm.kinds[0])
        }
        return view
    }

    private static func select(
        _ name: String, _ label: String, _ values: [String], _ filled: FormState
    ) -> FieldView {
        filled.list(
            name, label: label, first: values.first ?? "", values.map { ($0, filled.texts["\(label)_\($0)"]) }
        )
    }

    static func limits(_ filled: FormState) -> [FieldView] {
        let rest = filled.field("rest_days", .whole, label: "rules.rest", first: "7", hint: "rules.rest_hint")
        let session = filled.field(
            "session_within_days", .whole, label: "rules.session", hint: "rules.session_hint")
        return [rest, session]
    }

    static func actions(
        _ library: [LibraryRecord], _ filled: FormState, _ c: Context<Member>
    ) -> [FieldView] {
        let texts = filled.texts
        let briefing = filled.field("briefing", label: "rules.briefing", hint: "rules.briefing_hint")
        let text = filled.list(
            "intervention_id", label: "rules.intervention", hint: "rules.intervention_hint",
            none: "rules.none",
            library.map { record in
                let kind = texts["interventions.kind_\(record.kind.rawValue)"]
                let words = String((record.text.text(in: c.languages) ?? "").prefix(90))
                return (record.id.text, "\(kind): \(words)")
            })
        let alert = filled.field("alert", label: "rules.alert", hint: "rules.alert_hint")
        let advice = filled.field("advice", .area, label: "rules.advice")
        var mail = filled.box("mail", label: "rules.mail", hint: "rules.mail_hint")
        mail.value = filled.form.all("mail").contains("true") ? "true" : ""
        return [briefing, text, alert, advice, mail]
    }
}
