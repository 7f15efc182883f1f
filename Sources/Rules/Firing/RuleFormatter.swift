import Contributions
import Database
import Instruments
import Psychometrics
import Questionnaires
import Web
import Wire
import Wording

/// Rules and their reasons as sentences.
package struct RuleFormatter: Sendable {
    package let texts: Texts
    package let dates: DateFormat
    private let questionnaires: [String: QuestionnaireRecord]

    /// - Parameter connection: for the titles of all questionnaires, also of those out of use.
    package init<P>(_ c: Context<P>, _ connection: borrowing Connection) throws {
        try self.init(c.services, c.texts, c.dates, connection)
    }

    package init(
        _ services: Services, _ texts: Texts, _ dates: DateFormat, _ connection: borrowing Connection
    ) throws {
        let cache = services.questionnaires
        let all =
            try QuestionnaireStore.newest(cache, connection) + QuestionnaireStore.retired(cache, connection)
        questionnaires = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        self.texts = texts
        self.dates = dates
    }

    private func title(_ clause: Clause) -> String {
        let key = clause.key ?? ""
        return questionnaires[key]?.title(texts.language) ?? key
    }

    private func item(_ clause: Clause) -> String {
        let name = clause.item ?? ""
        guard let definition = questionnaires[clause.key ?? ""]?.definition else { return name }
        let language = definition.language(asked: texts.language.rawValue)
        if clause.kind == .answer {
            let text = question(clause)?.asked.text[language] ?? name
            return texts["rules.quoted", ["text": text.count > 80 ? String(text.prefix(80)) + "…" : text]]
        }
        return definition.scales.first { $0.key == name }?.title[language] ?? name
    }

    /// The question of a condition over answers, and the language of its words.
    private func question(
        _ clause: Clause
    ) -> (asked: QuestionnaireDefinition.Question, language: String)? {
        guard clause.kind == .answer, let definition = questionnaires[clause.key ?? ""]?.definition,
            let question = definition.question(clause.item ?? "")
        else { return nil }
        return (question, definition.language(asked: texts.language.rawValue))
    }

    /// The number of a condition with its answer, `oft (2)`; alone for scales, and where no answer has it.
    private func number(_ value: Double, _ clause: Clause) -> String {
        guard let (question, language) = question(clause) else { return texts.number(value, digits: 2) }
        switch question.type {
        case .single, .yesNo:
            return ContributionPages.words(.number(value), question, language, texts, dates)
        case .multiple:
            let number = texts.number(value, digits: 2)
            let text = question.options.first { $0.value == value }?.text[language]
            return text.map { "\($0) (\(number))" } ?? number
        case .slider, .sam, .text, .number, .date: return texts.number(value, digits: 2)
        }
    }

    /// The condition alone.
    package func clause(_ clause: Clause) -> String {
        let threshold = texts[
            "rules.is_\(clause.comparison.rawValue)", ["n": number(clause.value, clause)]]
        var values = [
            "title": title(clause), "item": item(clause), "is": threshold, "n": String(clause.times),
            "of": String(clause.of), "since": texts["rules.since_\(clause.since.rawValue)"],
        ]
        switch clause.kind {
        case .answer, .score:
            return texts[clause.of == 1 ? "rules.says_value" : "rules.says_counted", values]
        case .change: return texts["rules.says_change", values]
        case .worsening: return texts["rules.says_worsening", values]
        case .improvement: return texts["rules.says_improvement", values]
        case .mean: return texts["rules.says_mean", values]
        case .missed: return texts["rules.says_missed", values]
        case .silent:
            values["days"] = texts.count("rules.span", clause.days)
            return texts["rules.says_silent", values]
        }
    }

    /// When … then …, without the name.
    package func when(_ rule: Rule) -> String {
        let parts = rule.clauses.map(clause)
        var text = parts.joined(separator: " " + texts["rules.\(rule.combination.rawValue)_joint"] + " ")
        if let days = rule.sessionWithinDays {
            text += ", " + texts["rules.near", ["days": texts.count("rules.span", days)]]
        }
        return text
    }

    package func then(_ rule: Rule) -> String {
        let actions = rule.actions
        let names: [(String, Bool)] = [
            ("intervention", actions.interventionID != nil), ("briefing", actions.briefing != nil),
            ("alert", actions.alert != nil), ("mail", actions.sendsMail),
        ]
        return names.filter(\.1).map { texts["rules.then_\($0.0)"] }.joined(separator: ", ")
    }

    /// The conditions that were met, each with its values.
    package func reason(_ rule: Rule, _ facts: [Finding.Fact]) -> String {
        facts.compactMap { fact in
            guard rule.clauses.indices.contains(fact.clause) else { return nil }
            let clause = rule.clauses[fact.clause]
            return self.clause(clause) + " – " + measured(fact, clause)
        }.joined(separator: "; ")
    }

    /// The rule, and the reason it was met.
    package func reason(_ record: FiringRecord) -> String {
        let values = ["name": record.rule.name, "reason": reason(record.rule, record.facts)]
        return texts["rules.by_rule", values]
    }

    private func measured(_ fact: Finding.Fact, _ clause: Clause) -> String {
        switch clause.kind {
        case .silent:
            let since = fact.values.first.map { dates.short($0.at) } ?? ""
            return texts["rules.measured_silent", ["since": since, "days": String(fact.count ?? 0)]]
        case .missed:
            let days = fact.values.map { dates.short($0.at) }.joined(separator: ", ")
            return texts["rules.measured_missed", ["when": days]]
        case .answer:
            let values = fact.values.map { answer($0, clause) }.joined(separator: "; ")
            return texts["rules.measured_answer", ["values": values]]
        case .score:
            let values = fact.values.map(value).joined(separator: ", ")
            return texts["rules.measured", ["values": values]]
        case .mean:
            let values = fact.values.map(value).joined(separator: ", ")
            let mean = texts.number(fact.result ?? 0, digits: 2)
            return texts["rules.measured_mean", ["mean": mean, "values": values]]
        case .change, .worsening, .improvement:
            let last = fact.values.first.map(value) ?? ""
            let first = fact.values.last.map(value) ?? ""
            let number = texts.number(fact.result ?? 0, digits: 2)
            let signed = (fact.result ?? 0) > 0 ? "+" + number : number
            return texts["rules.measured_change", ["from": first, "to": last, "by": signed]]
        }
    }

    /// `oft (2), Di 17.11. 08:12`.
    private func answer(_ value: Finding.Fact.Value, _ clause: Clause) -> String {
        "\(value.value.map { number($0, clause) } ?? "–"), \(dates.short(value.at))"
    }

    /// `2 (Di 17.11. 08:12)`.
    private func value(_ value: Finding.Fact.Value) -> String {
        let number = value.value.map { texts.number($0, digits: 2) } ?? "–"
        return "\(number) (\(dates.short(value.at)))"
    }
}
