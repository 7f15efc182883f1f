import JSON
import Questionnaires
import Web
import Wording

/// The tree of a condition as rows, each below its group.
struct ConditionRows {
    private let fields: EditorFields
    private let language: Language
    /// The questions of earlier sections, on which a condition may depend.
    let questions: [(path: DocumentPath, json: JSON)]

    init(_ fields: EditorFields, _ document: DraftDocument, before section: Int, _ language: Language) {
        self.fields = fields
        self.language = language
        questions = document.questions.filter { question in
            if case .index(let index) = question.path.steps[1] { return index < section }
            return false
        }
    }

    func rows(_ condition: ConditionDraft, _ place: DocumentPath, depth: Int = 0) -> [SectionPages.Edit
        .ConditionRow]
    {
        let texts = fields.texts
        let kinds = ConditionDraft.Kind.order.map {
            FieldView.Choice(
                value: $0.rawValue, label: texts["editor.condition_\($0.rawValue)"],
                isChosen: $0 == condition.kind)
        }
        let kind = FieldView(
            name: place.appending("kind").text, label: texts["editor.condition_kind"], choices: kinds,
            isSelect: true)
        let isGroup = condition.kind.isGroup
        let own = SectionPages.Edit.ConditionRow(
            place: place.text, depth: String(min(depth, 4)), kind: kind,
            question: isGroup ? nil : question(condition, place),
            value: isGroup ? nil : value(condition, place),
            canAdd: isGroup && condition.kind != .not,
            errors: [fields.error(at: place), fields.error(at: place.appending("parts"))].compactMap(\.self))
        let parts = condition.parts.indices.flatMap { index in
            rows(
                condition.parts[index], place.appending("parts").appending(index), depth: depth + 1)
        }
        return [own] + parts
    }

    private func question(_ condition: ConditionDraft, _ place: DocumentPath) -> FieldView {
        let path = place.appending("question")
        var known = questions.map { question -> (String, String) in
            let key = question.json["key"]?.string ?? ""
            let text = DraftDocument.text(question.json["text"], language) ?? ""
            return (key, text.isEmpty ? key : "\(key): \(text.prefix(60))")
        }
        // Opening the page must not change the condition's present question.
        if !known.contains(where: { $0.0 == condition.question }) {
            known.insert((condition.question, condition.question.isEmpty ? "–" : condition.question), at: 0)
        }
        return FieldView(
            name: path.text, label: fields.texts["editor.condition_question"], value: condition.question,
            error: fields.error(at: path),
            choices: known.map { .init(value: $0.0, label: $0.1, isChosen: $0.0 == condition.question) },
            isSelect: true)
    }

    private func value(_ condition: ConditionDraft, _ place: DocumentPath) -> FieldView {
        let path = place.appending("value")
        let label = condition.kind == .anyOf ? "editor.condition_values" : "editor.condition_value"
        return FieldView(
            name: path.text, label: fields.texts[label], value: condition.value,
            hint: offered(condition.question), error: fields.error(at: path))
    }

    /// The values that the question offers, shown so that they need not be looked up.
    private func offered(_ key: String) -> String? {
        guard let question = questions.first(where: { $0.json["key"]?.string == key }) else { return nil }
        if question.json["type"]?.string == "yes_no" { return fields.texts["editor.yes_no_values"] }
        let shared = fields.document.json.at(DocumentPath(Array(question.path.steps.prefix(2))))
        let options = question.json["options"]?.array ?? shared?["options"]?.array ?? []
        guard ["single", "multiple"].contains(question.json["type"]?.string) else { return nil }
        let words = options.prefix(12).map { option in
            let number = option["value"]?.number.map { fields.figure($0) } ?? "?"
            return "\(number) \(DraftDocument.text(option["text"], language) ?? "")"
        }
        return words.isEmpty ? nil : words.joined(separator: " · ")
    }
}
