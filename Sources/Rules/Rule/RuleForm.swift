import JSON
import Psychometrics
import Web
import Wording

extension Rule {
    static let clauseLimit = 6
    private static let textLimit = 300

    /// The same fields from a call, from the form (converted to the same shape) and from the table.
    /// - Throws: `Problem.invalid`, places like `conditions.0.value`.
    package static func read(_ fields: InputReader) throws(Problem) -> Rule {
        let name = fields.text("name", required: true, limit: 120)
        let combination = fields.choice("combine") ?? Combination.all
        let clauses = clauses(fields)
        let rest = fields.whole("rest_days", 1...365) ?? 7
        let session = fields.whole("session_within_days", 1...60)
        let actions = Actions(
            interventionID: fields.id("intervention_id"),
            briefing: fields.text("briefing", limit: textLimit),
            alert: fields.text("alert", limit: textLimit),
            advice: fields.text("advice", limit: 1_000, lines: true),
            sendsMail: fields.bool("mail") ?? false)
        if fields.errors.isEmpty { check(actions, fields) }
        try fields.finish()
        guard let name else { throw .invalid(fields.errors) }
        return Rule(
            name: name, combination: combination, clauses: clauses, restDays: rest,
            sessionWithinDays: session, actions: actions)
    }

    private static func check(_ actions: Actions, _ fields: InputReader) {
        let hasAny = actions.interventionID != nil || actions.briefing != nil || actions.alert != nil
        if !hasAny && !actions.sendsMail { fields.refuse("briefing", "rules.no_action") }
        if actions.advice != nil && actions.alert == nil { fields.refuse("alert", "rules.advice_alone") }
    }

    private static func clauses(_ fields: InputReader) -> [Clause] {
        guard let value = fields.value("conditions") else {
            fields.refuse("conditions", "rules.no_condition")
            return []
        }
        guard case .array(let list) = value else {
            fields.refuse("conditions", "answers.list")
            return []
        }
        if list.isEmpty { fields.refuse("conditions", "rules.no_condition") }
        if list.count > clauseLimit {
            fields.refuse("conditions", "rules.many_conditions", ["limit": String(clauseLimit)])
            return []
        }
        return list.enumerated().compactMap { index, json in
            guard case .object = json else {
                fields.refuse("conditions.\(index)", "errors.object")
                return nil
            }
            let inner = fields.inner(json, "conditions.\(index).")
            defer { fields.adopt(inner) }
            return Clause.read(inner)
        }
    }
}

extension Clause {
    fileprivate static let mostSheets = 30

    /// Nil with the errors noted.
    fileprivate static func read(_ fields: InputReader) -> Clause? {
        let kind: Kind? = fields.choice("kind", required: true)
        let key = fields.text("questionnaire_key", limit: 60)
        let item = fields.text("item", limit: 60)
        let comparison: Threshold.Comparison? = fields.choice("comparison")
        let value = fields.number("value")
        let times = fields.whole("times", 1...mostSheets)
        let of = fields.whole("of", 1...mostSheets)
        let since: Since? = fields.choice("since")
        let days = fields.whole("days", 1...365)
        guard fields.errors.isEmpty, let kind else { return nil }
        let sent: [(name: String, isThere: Bool)] = [
            ("questionnaire_key", key != nil), ("item", item != nil), ("comparison", comparison != nil),
            ("value", value != nil), ("times", times != nil), ("of", of != nil), ("since", since != nil),
            ("days", days != nil),
        ]
        for (name, isThere) in sent where isThere && !kind.fields.contains(name) {
            fields.refuse(name, "rules.not_of_kind")
        }
        if kind != .silent && key == nil { fields.refuse("questionnaire_key", "errors.required") }
        if ![.silent, .missed].contains(kind) && item == nil { fields.refuse("item", "errors.required") }
        if [.answer, .score, .change, .mean].contains(kind) {
            if comparison == nil { fields.refuse("comparison", "errors.required") }
            if value == nil { fields.refuse("value", "errors.required") }
        }
        if kind == .missed && times == nil { fields.refuse("times", "errors.required") }
        if kind == .silent && days == nil { fields.refuse("days", "errors.required") }
        if kind == .mean && of == nil { fields.refuse("of", "errors.required") }
        if let times, let of, times > of, kind != .missed { fields.refuse("times", "rules.more_than_all") }
        guard fields.errors.isEmpty else { return nil }
        return Clause(
            kind: kind, key: key, item: item, comparison: comparison ?? .atLeast, value: value ?? 0,
            times: times ?? 1, of: of ?? times ?? 1, since: since ?? .begin, days: days ?? 1)
    }
}

extension Clause.Kind {
    /// The fields of a condition of this kind.
    fileprivate var fields: Set<String> {
        switch self {
        case .answer, .score: ["questionnaire_key", "item", "comparison", "value", "times", "of"]
        case .change: ["questionnaire_key", "item", "comparison", "value", "since"]
        case .worsening, .improvement: ["questionnaire_key", "item", "since"]
        case .mean: ["questionnaire_key", "item", "comparison", "value", "of"]
        case .missed: ["questionnaire_key", "times"]
        case .silent: ["days"]
        }
    }
}

extension InputReader {
    fileprivate func whole(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard let number = number(name, .init(whole: range)) else { return nil }
        guard number.rounded() == number, abs(number) < 1e9, range.contains(Int(number)) else {
            refuse(
                name, "rules.whole", ["from": String(range.lowerBound), "to": String(range.upperBound)])
            return nil
        }
        return Int(number)
    }
}
