import JSON
import Questionnaires
import Web
import Wording

/// The tree of a condition as rows, each below the group it belongs to.
struct ConditionRows {
    private let fields: EditorFields
    private let language: Language
    /// The questions of earlier sections: what can be asked about.
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
        var kind = FieldView(name: place.appending("kind").text, label: texts["editor.condition_kind"])
        kind.isSelect = true
        kind.choices = ConditionDraft.Kind.order.map {
            .init(
                value: $0.rawValue, label: texts["editor.condition_\($0.rawValue)"],
                isChosen: $0 == condition.kind)
        }
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
        var view = FieldView(name: path.text, label: fields.texts["editor.condition_question"])
        view.isSelect = true
        view.value = condition.question
        view.error = fields.error(at: path)
        var known = questions.map { question -> (String, String) in
            let key = question.json["key"]?.string ?? ""
            let text = DraftDocument.text(question.json["text"], language) ?? ""
            return (key, text.isEmpty ? key : "\(key): \(text.prefix(60))")
        }
        // What the condition asks about now must not be changed by opening the page.
        if !known.contains(where: { $0.0 == condition.question }) {
            known.insert((condition.question, condition.question.isEmpty ? "–" : condition.question), at: 0)
        }
        view.choices = known.map { .init(value: $0.0, label: $0.1, isChosen: $0.0 == condition.question) }
        return view
    }

    private func value(_ condition: ConditionDraft, _ place: DocumentPath) -> FieldView {
        let path = place.appending("value")
        let label = condition.kind == .anyOf ? "editor.condition_values" : "editor.condition_value"
        var view = FieldView(name: path.text, label: fields.texts[label])
        view.value = condition.value
        view.error = fields.error(at: path)
        view.hint = offered(condition.question)
        return view
    }

    /// The values that the question offers, so that nobody has to look them up.
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
