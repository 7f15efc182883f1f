import Delivery
import HTTP
import Instruments
import Questionnaires
import Records
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
    }

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try page($0.moving(WhatToAssign.folded), c) }) { fields in
            let today = LocalTime(c.now, c.dates.zone).date
            let draft = try DeliveryRuleDraft.read(
                InputReader(form: WhatToAssign.unfolded(fields.form)), today: today)
            do {
                _ = try DeliveryRules.make(draft, c)
            } catch Problem.conflict(let message, _) where message.key == "delivery.exists" {
                let filled = FormState(fields.form, FieldErrors("occasion", message.key), c.texts)
                return .page(try page(filled, c), status: 409)
            }
            return .seeOther("\(c.proof.patient.path)/deliveries", flash: Message("delivery.rule_made"))
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> New {
        let texts = c.texts
        let select = { (name: String, values: [String], first: String) -> FieldView in
            filled.list(
                name, label: "delivery.\(name)", first: first,
                values.map { ($0, texts["delivery.\(name)_\($0)"]) })
        }
        let number = { (name: String, first: String, hint: Message?) -> FieldView in
            filled.field(name, .decimal, label: "delivery.\(name)", first: first, hint: hint)
        }
        let occasions = ["before_session", "therapy_begin", "therapy_end", "repeated", "result"]
        let occasion = select("occasion", occasions, "before_session")
        let open = number("open_hours", "", "delivery.open_hours_hint")
        let date = { (name: String, first: String) -> FieldView in
            filled.field(name, .date, label: "delivery.\(name)", first: first)
        }
        let at = filled.field("at", .time, label: "delivery.at_label", first: "09:00")
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
        let records = try c.read { try QuestionnaireStore.newest(c.services.questionnaires, $0) }
        let scales = records.flatMap { record -> [(value: String, label: String)] in
            let language = record.definition.language(asked: c.language.rawValue)
            return record.definition.scales.map { scale in
                let label = "\(record.title(c.language)): \(scale.title[language] ?? scale.key)"
                return ("\(record.key)/\(scale.key)", label)
            }
        }
        return filled.list("watched", label: "delivery.watched", none: "assignments.choose", scales)
    }
}
