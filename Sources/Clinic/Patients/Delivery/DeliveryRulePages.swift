import HTTP
import Instruments
import Questionnaires
import Records
import Responses
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Making and stopping a rule of delivery.
package enum DeliveryRulePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/delivery-rules/new", .caseload, new)
        routes.page(.post, "/patients/:patient/delivery-rules/new", .caseload, create)
        DeliveryRuleStopPages.routes(&routes)
    }

    package struct New: Page {
        package static let template = "deliveries/new-rule"
        package static let section: NavigationItem? = .patients
        package let id: ID<Therapy>
        package let codename: String
        package let fields: [FieldView]
        package let rhythm: [FieldView]
        package let watch: [FieldView]
        package let errors: ErrorSummary?

        package static let example = New(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            fields: [FieldView(name: "occasion", label: "Anlass", isSelect: true)],
            rhythm: [FieldView(name: "every", label: "Alle")],
            watch: [FieldView(name: "threshold", label: "Wert")], errors: nil)
    }

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let today = LocalTime(c.now, c.dates.zone).date
            let draft = try DeliveryRuleDraft.read(
                InputReader(form: WhatToAssign.unfolded(form)), today: today)
            _ = try DeliveryRules.make(draft, c)
            return .seeOther(
                "/patients/\(c.proof.patient.id)/deliveries", flash: Message("delivery.rule_made"))
        } catch Problem.conflict(let message, _) where message.key == "delivery.exists" {
            let errors = FieldErrors("occasion", message.key)
            return .page(try page(FormState(form, errors, c.texts), c), status: 409)
        } catch Problem.invalid(let errors) {
            let filled = FormState(form, WhatToAssign.folded(errors), c.texts)
            return .page(try page(filled, c), status: 422)
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> New {
        let texts = c.texts
        let select = { (name: String, values: [String], first: String) -> FieldView in
            var view = filled.field(name, label: "delivery.\(name)", first: first)
            view.isSelect = true
            view.choices = values.map {
                .init(value: $0, label: texts["delivery.\(name)_\($0)"], isChosen: $0 == view.value)
            }
            return view
        }
        let number = { (name: String, first: String, hint: String?) -> FieldView in
            var view = filled.field(name, label: "delivery.\(name)", first: first)
            view.inputMode = "decimal"
            view.hint = hint.map { texts[$0] }
            return view
        }
        let occasions = ["before_session", "therapy_begin", "therapy_end", "repeated", "result"]
        let occasion = select("occasion", occasions, "before_session")
        let open = number("open_hours", "", "delivery.open_hours_hint")
        let date = { (name: String, first: String) -> FieldView in
            var view = filled.field(name, label: "delivery.\(name)", first: first)
            view.type = "date"
            return view
        }
        var at = filled.field("at", label: "delivery.at_label", first: "09:00")
        at.type = "time"
        let today = LocalTime(c.now, c.dates.zone).date.text
        return New(
            id: c.proof.patient.id, codename: c.proof.patient.codename,
            fields: [try WhatToAssign.view(filled, label: "delivery.what", c), occasion, open]
                + [Permission.box(filled)].compactMap(\.self),
            rhythm: [
                number("every", "1", nil), select("unit", ["day", "week", "month"], "week"),
                date("starts_on", today), at, date("ends_on", ""),
            ],
            watch: [
                try watched(filled, c), select("comparison", ["at_least", "at_most"], "at_least"),
                number("threshold", "", nil), number("rest_days", "14", "delivery.rest_hint"),
            ], errors: filled.summary)
    }

    /// Every scale of every questionnaire in use.
    private static func watched(_ filled: FormState, _ c: Context<Caseload>) throws -> FieldView {
        var view = filled.field("watched", label: "delivery.watched")
        view.isSelect = true
        let records = try c.read { try QuestionnaireStore.newest(c.services.questionnaires, $0) }
        let scales = records.flatMap { record -> [FieldView.Choice] in
            let language = record.definition.language(asked: c.language.rawValue)
            return record.definition.scales.map { scale in
                let value = "\(record.key)/\(scale.key)"
                let label = "\(record.title(c.language)): \(scale.title[language] ?? scale.key)"
                return .init(value: value, label: label, isChosen: value == view.value)
            }
        }
        view.choices =
            [.init(value: "", label: c.texts["assignments.choose"], isChosen: view.value.isEmpty)] + scales
        return view
    }
}
