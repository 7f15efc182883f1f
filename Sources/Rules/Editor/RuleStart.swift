import Database
import Delivery
import HTTP
import Identity
import Therapies
import Web
import Wording

/// Templates to start a reaction from (PR-18): links that fill the editor in.
enum RuleStart: String, CaseIterable {
    case worse, silent, critical, missed

    static let field = "template"

    /// The initial form: of a template, else with one empty condition.
    static func form(_ c: Context<Member>, _ items: RuleItems, _ connection: borrowing Connection) throws
        -> Form
    {
        guard let start = c.request.query[field].flatMap(RuleStart.init(rawValue:)) else {
            return Form(RuleStep.blank(RuleEditForm.kinds[0], row: 1))
        }
        let therapies = try RuleStore.therapies(of: c.proof.account.id, chosen: nil, connection).map(\.id)
        let asked = try items.keys.filter {
            try !therapies.isEmpty
                && QuestionnaireUseStore.isAsked($0, among: therapies, at: c.now, connection)
        }
        return start.form(items, asked: Set(asked), c.texts)
    }

    private func form(_ items: RuleItems, asked: Set<String>, _ texts: Texts) -> Form {
        var values: [String: String] = ["name": texts["rules.start_\(rawValue)"], "rest_days": "7"]
        var kind = rawValue
        switch self {
        case .worse:
            let item = items.reliableScale(asked: asked)
            // Without an instrument's figures a change is compared with a number.
            kind = item == nil ? "change_begin" : "worsening_begin"
            values["item_1"] = item
            if item == nil, let (scale, change) = items.directedScale(asked: asked) {
                values["item_1"] = scale
                values["comparison_1"] = change > 0 ? "at_least" : "at_most"
                values["value_1"] = RuleEditForm.plain(change, texts)
            }
            values["briefing"] = texts["rules.start_worse_words"]
            values["rest_days"] = "14"
        case .silent:
            values["days_1"] = "3"
            values["alert"] = texts["rules.start_silent_words"]
            values["advice"] = texts["rules.start_silent_advice"]
        case .critical:
            kind = "value"
            let question = items.criticalQuestion(asked: asked)
            values["item_1"] = question?.item
            values["value_1"] = question.map { RuleEditForm.plain($0.value, texts) }
            values["comparison_1"] = "at_least"
            values["times_1"] = "1"
            values["of_1"] = "1"
            values["alert"] = texts["rules.start_critical_words"]
            values["rest_days"] = "1"
        case .missed:
            values["item_1"] = items.regular(asked: asked)
            values["times_1"] = "2"
            values["briefing"] = texts["rules.start_missed_words"]
        }
        let row = RuleStep.blank(kind, row: 1).map { Form.Field($0.name, values[$0.name] ?? $0.value) }
        let rest = values.filter { value in !row.contains { $0.name == value.key } }
        return Form(row + rest.sorted { $0.key < $1.key }.map { Form.Field($0.key, $0.value) })
    }

    /// The links above a new reaction.
    static func links(_ c: Context<Member>) -> [PageLink] {
        let chosen = c.request.query[field]
        return allCases.map { start in
            PageLink(
                label: c.texts["rules.start_\(start.rawValue)"],
                path: "/rules/new?\(field)=\(start.rawValue)", isCurrent: chosen == start.rawValue)
        }
    }
}
