import HTTP
import JSON
import Psychometrics
import Records
import Therapies
import Web
import Wording

/// A rule as a form: conditions in numbered rows. Converted into the shape of a call, so that both are read alike.
struct RuleEditForm: Sendable {
    static let rows = Rule.clauseLimit
    /// The form's names of the kinds: the chosen subject decides between answer and scale.
    static let kinds = [
        "value", "mean", "change_begin", "change_last", "worsening_begin", "worsening_last",
        "improvement_begin",
        "improvement_last", "missed", "silent",
    ]

    let json: JSON
    /// Errors that a call cannot have: a row without a kind, patients ticked for a rule for all.
    let errors: FieldErrors
    /// The row of each condition, from 1.
    private let numbers: [Int]
    /// Rows in which a question was chosen.
    private let questions: Set<Int>
    let chosen: [String]?

    /// - Parameter isTrial: reads only the fields for a dry run: neither the name nor the actions.
    init(_ form: Form, isTrial: Bool = false) {
        numbers = (1...Self.rows).filter { !(form["kind_\($0)"] ?? "").isEmpty }
        questions = Set((1...Self.rows).filter { (form["item_\($0)"] ?? "").hasPrefix("q/") })
        errors = Self.errors(form)
        let conditions = numbers.map { Self.condition($0, form) }
        let text = { (name: String) -> JSON.Member in
            JSON.Member(name, form[name].flatMap { $0.isEmpty ? nil : .string($0) } ?? .null)
        }
        let isForSome = ["chosen", "protocols"].contains(form["reach"])
        chosen = isForSome ? form.all("patient_ids").filter { !$0.isEmpty } : nil
        var members =
            isTrial
            ? [text("combine"), JSON.Member("name", .string("·"))]
            : ["name", "combine", "intervention_id", "briefing", "alert", "advice"].map(text)
        members.append(.init("conditions", .array(conditions)))
        members += ["rest_days", "session_within_days"].map { .init($0, Self.number($0, form)) }
        members.append(.init("mail", .bool(isTrial || form.all("mail").contains("true"))))
        members.append(.init("patient_ids", chosen.map { .array($0.map(JSON.string)) } ?? .null))
        json = .object(members)
    }

    /// - Throws: `Problem.invalid` with all errors.
    func draft() throws -> RuleActions.Draft {
        var all = errors
        do {
            let draft = try RuleActions.read(json, over: nil, chosen: nil, isForm: true)
            if all.isEmpty { return draft }
        } catch Problem.invalid(let more) {
            all.add(more)
        }
        throw Problem.invalid(all)
    }

    private static func errors(_ form: Form) -> FieldErrors {
        var errors = FieldErrors()
        let isFilled = { (name: String) in !(form[name] ?? "").isEmpty }
        for row in 1...rows where !isFilled("kind_\(row)") {
            if isFilled("item_\(row)") || isFilled("value_\(row)") {
                errors.add("kind_\(row)", "rules.choose_kind")
            }
        }
        if !["all", "chosen", "protocols"].contains(form["reach"] ?? "all") {
            errors.add("reach", "errors.choice")
        }
        let hasChosen = !form.all("patient_ids").filter({ !$0.isEmpty }).isEmpty
        if form["reach"] == "chosen", !hasChosen { errors.add("reach", "rules.nobody") }
        if form["reach"] != "chosen", hasChosen {
            errors.add("reach", "rules.chosen_for_all")
        }
        return errors
    }

    private static func condition(_ row: Int, _ form: Form) -> JSON {
        let kind = form["kind_\(row)"] ?? ""
        let item = (form["item_\(row)"] ?? "").split(separator: "/", maxSplits: 2).map(String.init)
        var members: [JSON.Member] = []
        let add = { (name: String, value: JSON) in members.append(.init(name, value)) }
        let isQuestion = item.first == "q"
        switch kind {
        case "value": add("kind", .string(isQuestion ? "answer" : "score"))
        case "change_begin", "change_last": add("kind", .string("change"))
        case "worsening_begin", "worsening_last", "improvement_begin", "improvement_last":
            add("kind", .string("reliable_" + kind.prefix { $0 != "_" }))
        default: add("kind", .string(kind))
        }
        if kind == "silent" {
            add("days", number("days_\(row)", form))
            return .object(members)
        }
        add("questionnaire_key", item.count > 1 ? .string(item[1]) : .null)
        // A question where a scale is needed is reported below as an unknown scale.
        if kind != "missed" { add("item", item.count > 2 ? .string(item[2]) : .null) }
        if ["value", "mean", "change_begin", "change_last"].contains(kind) {
            add("comparison", .string(form["comparison_\(row)"] ?? "at_least"))
            add("value", number("value_\(row)", form))
        }
        if kind == "value" || kind == "missed" { add("times", number("times_\(row)", form)) }
        if kind == "value" || kind == "mean" { add("of", number("of_\(row)", form)) }
        if kind.hasSuffix("_last") { add("since", .string("last")) }
        if kind.hasSuffix("_begin") { add("since", .string("begin")) }
        return .object(members)
    }

    /// What is no number, or may be two, stays as it was typed: the rule knows what fits.
    private static func number(_ name: String, _ form: Form) -> JSON {
        guard let text = form[name], !text.isEmpty else { return .null }
        let number = TypedNumber(text, meant: form[TypedNumber.meantName(name)])?.value
        return number.map(JSON.number) ?? .string(text)
    }

    /// Errors under the names of the form's own fields.
    func folded(_ errors: FieldErrors) -> FieldErrors {
        var folded = FieldErrors()
        for error in errors.list {
            let name = fieldName(error.field)
            let key = self.key(error.message.key, at: name)
            // Questionnaire and item are one list here: one error is enough.
            let isKnown = folded.list.contains { $0.field == name && $0.message.key == key }
            if !isKnown { folded.add(name, key, error.message.values) }
        }
        return folded
    }

    /// The error in the words of this form.
    private func key(_ key: String, at name: String) -> String {
        guard name.hasPrefix("item_"), let row = Int(name.dropFirst(5)) else { return key }
        if key == "delivery.no_scale" && questions.contains(row) { return "rules.needs_scale" }
        return key == "errors.required" ? "rules.choose_item" : key
    }

    private func fieldName(_ name: String) -> String {
        let parts = name.split(separator: ".").map(String.init)
        guard parts.first == "conditions" else { return name == "patient_ids" ? "reach" : name }
        guard parts.count == 3, let index = Int(parts[1]), numbers.indices.contains(index) else {
            return "kind_1"
        }
        let field = parts[2] == "questionnaire_key" ? "item" : parts[2]
        return "\(field)_\(numbers[index])"
    }

    // MARK: From a rule

    /// The fields of an existing rule.
    static func form(of rule: Rule, chosen: [ID<Therapy>]?, _ texts: Texts) -> Form {
        var fields: [Form.Field] = []
        let add = { (name: String, value: String?) in fields.append(.init(name, value ?? "")) }
        add("name", rule.name)
        add("combine", rule.combination.rawValue)
        for (index, clause) in rule.clauses.enumerated() {
            for (name, value) in Self.fields(of: clause, texts) { add("\(name)_\(index + 1)", value) }
        }
        add("rest_days", String(rule.restDays))
        add("session_within_days", rule.sessionWithinDays.map { String($0) })
        add("intervention_id", rule.actions.interventionID?.text)
        add("briefing", rule.actions.briefing)
        add("alert", rule.actions.alert)
        add("advice", rule.actions.advice)
        if rule.actions.sendsMail { add("mail", "true") }
        add("reach", chosen.map { $0.isEmpty ? "protocols" : "chosen" } ?? "all")
        for id in chosen ?? [] { add("patient_ids", id.text) }
        return Form(fields)
    }

    private static func fields(of clause: Clause, _ texts: Texts) -> [(String, String)] {
        let mark = clause.kind == .answer ? "q" : "s"
        let item = [mark, clause.key, clause.item].compactMap(\.self).joined(separator: "/")
        let kind: String
        switch clause.kind {
        case .answer, .score: kind = "value"
        case .change: kind = "change_\(clause.since.rawValue)"
        case .worsening: kind = "worsening_\(clause.since.rawValue)"
        case .improvement: kind = "improvement_\(clause.since.rawValue)"
        case .mean, .missed, .silent: kind = clause.kind.rawValue
        }
        return [
            ("kind", kind), ("item", clause.kind == .missed ? "k/\(clause.key ?? "")" : item),
            ("comparison", clause.comparison.rawValue), ("value", plain(clause.value, texts)),
            ("times", String(clause.times)), ("of", String(clause.of)), ("days", String(clause.days)),
        ]
    }

    static func plain(_ value: Double, _ texts: Texts) -> String {
        texts.number(plain: TypedNumber.spelled(value))
    }
}
