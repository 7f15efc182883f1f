import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// The fields of the editor that are no part of a sentence.
enum RuleFields {
    static func name(_ filled: FormState) -> FieldView {
        var view = filled.field("name", label: "rules.name")
        view.isRequired = true
        return view
    }

    static func combine(_ filled: FormState) -> FieldView {
        select("combine", "rules.combine", ["all", "any"], filled)
    }

    static func reach(_ filled: FormState) -> FieldView {
        select("reach", "rules.reach", ["all", "chosen", "protocols"], filled)
    }

    static func adding(_ filled: FormState) -> FieldView {
        var view = FieldView(name: "add_kind", label: filled.texts["rules.add_kind"], isSelect: true)
        view.choices = RuleSheet.kinds.map {
            .init(value: $0, label: filled.texts["rules.kind_\($0)"], isChosen: $0 == RuleSheet.kinds[0])
        }
        return view
    }

    private static func select(
        _ name: String, _ label: String, _ values: [String], _ filled: FormState
    ) -> FieldView {
        var view = filled.field(name, label: label, first: values.first ?? "")
        view.isSelect = true
        view.choices = values.map {
            .init(value: $0, label: filled.texts["\(label)_\($0)"], isChosen: $0 == view.value)
        }
        return view
    }

    static func limits(_ filled: FormState) -> [FieldView] {
        var rest = filled.field("rest_days", label: "rules.rest", first: "7")
        rest.inputMode = "numeric"
        rest.hint = filled.texts["rules.rest_hint"]
        var session = filled.field("session_within_days", label: "rules.session")
        session.inputMode = "numeric"
        session.hint = filled.texts["rules.session_hint"]
        return [rest, session]
    }

    static func actions(
        _ library: [LibraryRecord], _ filled: FormState, _ c: Context<Member>
    ) -> [FieldView] {
        let texts = filled.texts
        var briefing = filled.field("briefing", label: "rules.briefing")
        briefing.hint = texts["rules.briefing_hint"]
        var text = filled.field("intervention_id", label: "rules.intervention")
        text.isSelect = true
        text.hint = texts["rules.intervention_hint"]
        text.choices = [.init(value: "", label: texts["rules.none"], isChosen: text.value.isEmpty)]
        text.choices += library.map { record in
            let kind = texts["interventions.kind_\(record.kind.rawValue)"]
            let words = String((record.text.text(in: c.languages) ?? "").prefix(90))
            return .init(
                value: record.id.text, label: "\(kind): \(words)", isChosen: record.id.text == text.value)
        }
        var alert = filled.field("alert", label: "rules.alert")
        alert.hint = texts["rules.alert_hint"]
        var advice = filled.field("advice", label: "rules.advice")
        advice.isArea = true
        var mail = filled.field("mail", label: "rules.mail")
        mail.isCheck = true
        mail.hint = texts["rules.mail_hint"]
        if filled.form.all("mail").contains("true") { mail.value = "true" } else { mail.value = "" }
        return [briefing, text, alert, advice, mail]
    }
}
