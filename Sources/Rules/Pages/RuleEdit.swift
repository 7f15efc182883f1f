import Database
import HTTP
import Identity
import Instruments
import Psychometrics
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// The form in which a rule is built.
package struct RuleEdit: Page {
    package static let template = "rules/edit"
    package static let section: NavigationItem? = .rules

    package struct Row: Encodable, Sendable {
        package let legend: String
        package let kind: FieldView
        package let item: FieldView
        package let comparison: FieldView
        package let value: FieldView
        package let times: FieldView
        package let of: FieldView
        package let days: FieldView
    }
    package struct Patient: Encodable, Sendable {
        package let id: ID<Therapy>
        package let codename: String
        package let isChosen: Bool
    }

    package let title: String
    package let action: String
    /// That the rule can reach nobody, said before anything is filled in; nil when it can.
    package let unreachable: String?
    /// Nil for a new one.
    package let revision: String?
    /// The rule was changed elsewhere meanwhile.
    package let isStale: Bool
    package let name: FieldView
    package let combine: FieldView
    package let rows: [Row]
    package let limits: [FieldView]
    package let reach: FieldView
    package let patients: [Patient]
    /// Whom the rule is for as it is stored, where that differs from what is ticked.
    let storedPatients: String?
    package let actions: [FieldView]
    package let errors: ErrorSummary?

    package static let example = RuleEdit(
        title: "Neue Regel", action: "/rules/new", unreachable: "So erreicht die Regel niemanden.",
        revision: "3", isStale: true,
        name: FieldView(name: "name", label: "Name"),
        combine: FieldView(name: "combine", label: "Verbunden", isSelect: true),
        rows: [
            Row(
                legend: "1. Bedingung", kind: FieldView(name: "kind_1", label: "Was", isSelect: true),
                item: FieldView(name: "item_1", label: "Wovon", isSelect: true),
                comparison: FieldView(name: "comparison_1", label: "Ist", isSelect: true),
                value: FieldView(name: "value_1", label: "Wert"),
                times: FieldView(name: "times_1", label: "Mindestens"),
                of: FieldView(name: "of_1", label: "der letzten"),
                days: FieldView(name: "days_1", label: "Tage"))
        ], limits: [FieldView(name: "rest_days", label: "Höchstens einmal in")],
        reach: FieldView(name: "reach", label: "Für wen", isSelect: true),
        patients: [
            Patient(id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", isChosen: true)
        ], storedPatients: "C020480", actions: [FieldView(name: "briefing", label: "Zeile")], errors: nil)

    static func make(_ record: RuleRecord?, _ filled: FormState, _ c: Context<Member>) throws -> RuleEdit {
        let texts = c.texts
        let account = c.proof.account.id
        let (items, library, therapies) = try c.read { connection in
            (
                try Self.items(c, connection), try LibraryStore.all(for: account, connection),
                try TherapyStore.caseload(of: account, connection)
            )
        }
        let chosen = patients(filled.form)
        let running = therapies.filter { $0.endedAt == nil && $0.accountID != nil || chosen.contains($0.id) }
        return RuleEdit(
            title: texts[record == nil ? "rules.new" : "rules.edit"],
            action: record.map { "/rules/\($0.id)/edit" } ?? "/rules/new",
            unreachable: c.proof.account.roles.contains(.therapist) ? nil : texts["rules.no_patients"],
            revision: record.flatMap { filled.revision($0.revision) }, isStale: filled.isStale,
            name: required(filled.field("name", label: "rules.name")),
            combine: select("combine", "rules.combine", ["all", "any"], "all", filled),
            rows: (1...count(filled.form)).map { row($0, items, filled) }, limits: limits(filled),
            reach: select("reach", "rules.reach", ["all", "chosen"], "all", filled),
            patients: running.map {
                Patient(id: $0.id, codename: $0.codename, isChosen: chosen.contains($0.id))
            }.sorted { $0.codename < $1.codename },
            storedPatients: storedPatients(therapies, chosen, filled), actions: actions(library, filled, c),
            errors: filled.summary)
    }

    private static func patients(_ form: Form) -> Set<ID<Therapy>> {
        Set(form.all("patient_ids").map { ID($0) })
    }

    private static func storedPatients(
        _ therapies: [Therapy], _ chosen: Set<ID<Therapy>>, _ filled: FormState
    ) -> String? {
        guard let stored = filled.stored.map(patients), stored != chosen else {
            return nil
        }
        let names = therapies.filter { stored.contains($0.id) }.map(\.codename).sorted()
        return names.isEmpty ? filled.texts["forms.empty"] : names.joined(separator: ", ")
    }

    /// As many as there are and one more, four at least.
    private static func count(_ form: Form) -> Int {
        let last = (1...RuleSheet.rows).last { !(form["kind_\($0)"] ?? "").isEmpty } ?? 0
        return min(RuleSheet.rows, max(RuleSheet.fewestRows, last + 1))
    }

    private static func required(_ view: FieldView) -> FieldView {
        var view = view
        view.isRequired = true
        return view
    }

    private static func select(
        _ name: String, _ label: String, _ values: [String], _ first: String, _ filled: FormState,
        empty: String? = nil, choices key: String? = nil
    ) -> FieldView {
        var view = filled.field(name, label: label, first: first)
        view.isSelect = true
        view.choices = empty.map { [.init(value: "", label: $0, isChosen: view.value.isEmpty)] } ?? []
        view.choices += values.map {
            .init(
                value: $0, label: filled.texts["\(key ?? label)_\($0)"], isChosen: $0 == view.value)
        }
        return view
    }

    private static func row(_ number: Int, _ items: [FieldView.Choice], _ filled: FormState) -> Row {
        let texts = filled.texts
        let none = number == 1 ? nil : texts["rules.no_more"]
        var item = filled.field("item_\(number)", label: "rules.item")
        item.isSelect = true
        item.choices = items.map {
            .init(value: $0.value, label: $0.label, isChosen: $0.value == item.value)
        }
        let figure = { (name: String, first: String) -> FieldView in
            var view = filled.field("\(name)_\(number)", label: "rules.\(name)", first: first)
            view.inputMode = "decimal"
            return view
        }
        return Row(
            legend: texts["rules.condition", ["n": String(number)]],
            kind: select(
                "kind_\(number)", "rules.kind", RuleSheet.kinds, number == 1 ? "value" : "", filled,
                empty: none),
            item: item,
            comparison: select(
                "comparison_\(number)", "rules.comparison", Threshold.Comparison.allCases.map(\.rawValue),
                "at_least", filled),
            value: figure("value", ""), times: figure("times", "1"), of: figure("of", "1"),
            days: figure("days", "7"))
    }

    private static func limits(_ filled: FormState) -> [FieldView] {
        var rest = filled.field("rest_days", label: "rules.rest", first: "7")
        rest.inputMode = "numeric"
        rest.hint = filled.texts["rules.rest_hint"]
        var session = filled.field("session_within_days", label: "rules.session")
        session.inputMode = "numeric"
        session.hint = filled.texts["rules.session_hint"]
        return [rest, session]
    }

    private static func actions(
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

    /// Every question with a number for an answer, every scale, and every questionnaire as a whole.
    private static func items(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [FieldView.Choice] {
        let texts = c.texts
        var choices = [FieldView.Choice(value: "", label: texts["assignments.choose"], isChosen: false)]
        for record in try QuestionnaireStore.newest(c.services.questionnaires, connection) {
            let title = record.title(c.language)
            let definition = record.definition
            let language = definition.language(asked: c.language.rawValue)
            let add = { (value: String, label: String) in
                choices.append(.init(value: value, label: "\(title): \(label)", isChosen: false))
            }
            for scale in definition.scales {
                let values = ["title": scale.title[language] ?? scale.key]
                add("s/\(record.key)/\(scale.key)", texts["rules.item_scale", values])
            }
            for question in definition.questions where question.type != .text && question.type != .date {
                let text = question.text[language] ?? question.key
                let short = text.count > 70 ? String(text.prefix(70)) + "…" : text
                add("q/\(record.key)/\(question.key)", texts["rules.item_question", ["text": short]])
            }
            add("k/\(record.key)", texts["rules.item_whole"])
        }
        return choices
    }
}
