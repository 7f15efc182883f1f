import JSON
import Questionnaires
import Web
import Wire
import Wording

/// Draws the fields of one page of the editor: the document's values with their faults. Counts the faults shown at
/// fields, so that the others can be shown elsewhere on the page.
package final class EditorFields {
    let document: DraftDocument
    let texts: Texts
    /// The languages of a text, with their names.
    private let languages: [(code: String, name: String)]
    /// Whether all faults were asked for; else fields that are merely empty show none.
    let isChecking: Bool
    private var faults: [(path: DocumentPath, message: Message)]
    private var shown: Set<Int> = []
    /// The labels of the fields made so far, by their names.
    private var labels: [String: String] = [:]

    static let unfinished: Set<String> = ["file.required", "file.empty", "file.no_options"]

    /// With a field for each installed language, and for every other in which the questionnaire has a title.
    init(_ document: DraftDocument, _ texts: Texts, _ services: Services, isChecking: Bool) {
        self.document = document
        self.texts = texts
        let own = LocalizedText(json: document.json["title"]).languages.compactMap(Language.init(rawValue:))
        languages = (services.languages + own).withoutRepetition().map {
            ($0.rawValue, services.name(of: $0, for: texts))
        }
        self.isChecking = isChecking
        faults = document.faults.map { fault in
            (ConditionDraft.field(DocumentPath(place: fault.place)), fault.message)
        }
        // A condition that was just added has no question yet.
        let isFresh = { (message: Message) in message.values["key"] == "" }
        if !isChecking {
            faults.removeAll { Self.unfinished.contains($0.message.key) || isFresh($0.message) }
        }
    }

    /// The number of all faults below a place.
    static func count(_ faults: [QuestionnaireFile.Fault], below path: DocumentPath) -> Int {
        faults.count { DocumentPath(place: $0.place).isInside(path) }
    }

    // MARK: Fields

    func field(_ path: DocumentPath, _ label: String, hint: String? = nil) -> FieldView {
        labels[path.text] = texts[label]
        return FieldView(
            name: path.text, label: texts[label], value: words(document.json.at(path)),
            hint: hint.map { texts[$0] }, error: error(at: path))
    }

    func number(_ path: DocumentPath, _ label: String, hint: String? = nil) -> FieldView {
        var view = field(path, label, hint: hint)
        view.inputMode = "decimal"
        view.readings = Reading.all(
            of: faults.first { $0.path == path }?.message, for: path.text, texts)
        return view
    }

    func check(_ path: DocumentPath, _ label: String, hint: String? = nil) -> FieldView {
        var view = field(path, label, hint: hint)
        view.isCheck = true
        view.value = document.json.at(path) == .bool(true) ? "true" : ""
        return view
    }

    func select(_ path: DocumentPath, _ label: String, _ choices: [(String, String)], hint: String? = nil)
        -> FieldView
    {
        var view = field(path, label, hint: hint)
        view.isSelect = true
        let chosen = document.json.at(path)
        let value = chosen == .bool(true) ? "true" : chosen == .bool(false) ? "false" : view.value
        view.choices = choices.map {
            FieldView.Choice(value: $0.0, label: texts[$0.1], isChosen: $0.0 == value)
        }
        return view
    }

    /// A text in every language, side by side.
    func localized(_ path: DocumentPath, _ label: String, isArea: Bool = false) -> LocalizedFields {
        let common = error(at: path)
        let fields = languages.map { code, language in
            var view = field(path.appending(code), label)
            view.label = texts["editor.labelled", ["label": texts[label], "language": language]]
            labels[view.name] = view.label
            view.lang = code
            view.isArea = isArea
            view.error = view.error ?? (code == "de" ? common : nil)
            return view
        }
        return LocalizedFields(fields: fields)
    }

    private func words(_ json: JSON?) -> String {
        switch json {
        case .string(let text)?: text
        case .number(let number)?: figure(number)
        default: ""
        }
    }

    func figure(_ number: Double) -> String {
        texts.number(plain: TypedNumber.spelled(number))
    }

    // MARK: Faults

    /// The fault of exactly this place; it counts as shown.
    func error(at path: DocumentPath) -> String? {
        let found = faults.indices.filter { faults[$0].path == path }
        shown.formUnion(found)
        return found.first.map { texts[faults[$0].message] }
    }

    /// The faults below a place that no field has shown. To be asked after the fields were made.
    func rest(below path: DocumentPath) -> [String] {
        let found = faults.indices.filter { faults[$0].path.isInside(path) && !shown.contains($0) }
        shown.formUnion(found)
        return found.map { "\(faults[$0].path.text): \(texts[faults[$0].message])" }
    }

    /// For the summary above the heading: lines link to the field or its block. Called after the fields were made.
    func summary(below root: DocumentPath) -> ErrorSummary? {
        guard isChecking else { return nil }
        let lines = faults.filter { $0.path.isInside(root) }.map { fault in
            let field = Self.anchor(fault.path)
            let label = labels[field].map { "\($0): " } ?? ""
            return ErrorLine(field: field, text: label + texts[fault.message])
        }
        return lines.isEmpty ? nil : ErrorSummary(lines: lines)
    }

    /// A missing text is shown at its German field; lists have a block of their own.
    static func anchor(_ path: DocumentPath) -> String {
        let german = path.appending("de")
        if german.isTranslation { return german.text }
        if path.lastKey == "range" { return path.appending("low").text }
        if path.steps.first == .key("scales"), path.steps.count > 2,
            [.key("items"), .key("reversed")].contains(path.steps[2])
        {
            return "items"
        }
        return path.text
    }
}
