import Database
import Instruments
import Psychometrics
import Questionnaires
import Scheduling
import Web
import Wire
import Wording

/// The possible subjects of a condition: scales, questions with numeric answers, whole questionnaires.
struct RuleItems {
    private struct Entry {
        let key: String
        let title: String
        let definition: QuestionnaireDefinition
        let language: String
    }

    private let entries: [Entry]

    init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
        entries = try QuestionnaireStore.newest(c.services.questionnaires, connection).map { record in
            Entry(
                key: record.key, title: record.title(c.language), definition: record.definition,
                language: record.definition.language(asked: c.language.rawValue))
        }
    }

    /// The choices for a kind of condition, by questionnaire. A chosen one stays among them.
    func groups(for kind: String, chosen: String, _ texts: Texts) -> [RuleSentence.Group] {
        let choice = { (value: String, label: String) in
            FieldView.Choice(value: value, label: label, isChosen: value == chosen)
        }
        var groups: [RuleSentence.Group] = []
        if kind == "missed" {
            groups = [
                RuleSentence.Group(heading: nil, choices: entries.map { choice("k/\($0.key)", $0.title) })
            ]
        } else {
            groups = entries.map { entry in
                let scales = entry.definition.scales.map { scale in
                    let values = ["title": scale.title[entry.language] ?? scale.key]
                    return choice("s/\(entry.key)/\(scale.key)", texts["rules.item_scale", values])
                }
                let questions = kind == "value" ? questions(of: entry, texts, choice) : []
                return RuleSentence.Group(heading: entry.title, choices: scales + questions)
            }.filter { !$0.choices.isEmpty }
        }
        var first = [choice("", texts["rules.sentence_gap"])]
        let isThere = groups.contains { $0.choices.contains(where: \.isChosen) }
        if !isThere, let label = label(of: chosen, texts) { first.append(choice(chosen, label)) }
        return [RuleSentence.Group(heading: nil, choices: first)] + groups
    }

    private func questions(
        of entry: Entry, _ texts: Texts, _ choice: (String, String) -> FieldView.Choice
    ) -> [FieldView.Choice] {
        entry.definition.questions.filter { $0.type != .text && $0.type != .date }.map { question in
            let text = question.text[entry.language] ?? question.key
            let short = text.count > 70 ? String(text.prefix(70)) + "…" : text
            return choice(
                "q/\(entry.key)/\(question.key)", texts["rules.item_question", ["text": short]])
        }
    }

    private func entry(of item: String) -> Entry? {
        let parts = item.split(separator: "/", maxSplits: 2)
        return parts.count > 1 ? entries.first { $0.key == parts[1] } : nil
    }

    /// The questionnaire of a chosen item; nil for a questionnaire itself.
    func title(of item: String) -> String? { item.hasPrefix("k/") ? nil : entry(of: item)?.title }

    func isDaily(_ item: String) -> Bool { entry(of: item)?.key == DailyPlan.questionnaireKey }

    /// The name of an item by its value in the list; nil for an unknown one.
    func label(of item: String, _ texts: Texts) -> String? {
        guard let entry = entry(of: item) else { return nil }
        if item.hasPrefix("k/") { return entry.title }
        let kind = item.hasPrefix("q/") ? "value" : "mean"
        let all = questions(of: entry, texts) { .init(value: $0, label: $1, isChosen: $0 == item) }
        let scale = entry.definition.scales.first { item == "s/\(entry.key)/\($0.key)" }
        let words = kind == "value" ? all.first(where: \.isChosen)?.label : scale?.title[entry.language]
        return words.map { "\(entry.title): \($0)" }
    }

    // MARK: Defaults

    /// A scale on which a change can be told from chance: the first that is asked of a patient, else the first.
    func reliableScale(asked: Set<String>) -> String? {
        let all = entries.flatMap { entry in
            entry.definition.scales.filter { ReliableChange($0) != nil }.map {
                (key: entry.key, item: "s/\(entry.key)/\($0.key)")
            }
        }
        return (all.first { asked.contains($0.key) } ?? all.first)?.item
    }

    /// Without such figures: a scale with a bad end, and a quarter of its range towards it.
    func directedScale(asked: Set<String>) -> (item: String, change: Double)? {
        let all = entries.flatMap { entry in
            entry.definition.scales.compactMap { scale -> (key: String, item: String, change: Double)? in
                guard let isWorse = scale.higherIsWorse,
                    let range = entry.definition.possibleRange(ofScale: scale.key)
                else { return nil }
                let quarter = ((range.upperBound - range.lowerBound) / 4).rounded(.up)
                return (entry.key, "s/\(entry.key)/\(scale.key)", isWorse ? quarter : -quarter)
            }
        }
        return (all.first { asked.contains($0.key) } ?? all.first).map { ($0.item, $0.change) }
    }

    /// A question whose answers must be seen, with the value from which on.
    func criticalQuestion(asked: Set<String>) -> (item: String, value: Double)? {
        let all = entries.flatMap { entry in
            entry.definition.questions.compactMap { question -> (key: String, item: String, value: Double)? in
                guard case .atLeast(let value) = question.mustBeSeen else { return nil }
                return (entry.key, "q/\(entry.key)/\(question.key)", value)
            }
        }
        return (all.first { asked.contains($0.key) } ?? all.first).map { ($0.item, $0.value) }
    }

    /// The daily prompts, else the first questionnaire that is asked of a patient.
    func regular(asked: Set<String>) -> String? {
        let keys = entries.map(\.key)
        let daily = keys.first { $0 == DailyPlan.questionnaireKey }
        return (daily ?? keys.first(where: asked.contains) ?? keys.first).map { "k/\($0)" }
    }

    var keys: [String] { entries.map(\.key) }
}
