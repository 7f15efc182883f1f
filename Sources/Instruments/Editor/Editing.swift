import HTTP
import Identity
import JSON
import Questionnaires
import Records
import Web
import Wording

/// One press of a button in the editor: the input is stored first, then the button acts, so that no button loses input.
struct Editing: Sendable {
    let draft: EditorDraft
    private(set) var document: DraftDocument
    /// The entry the button acted on, at its new place.
    private(set) var touched: DocumentPath?
    let action: String
    /// Another account has changed the draft since this page was drawn.
    let isStale: Bool

    /// - Parameter root: the place that the page edits.
    init(_ draft: EditorDraft, _ form: Form, below root: DocumentPath) {
        self.draft = draft
        document = draft.document
        EditorForm.merge(form, into: &document, below: root)
        isStale = form["revision"] != String(draft.revision)
        // Versions belong together by their key, so it stays.
        if draft.basedOn != nil { document.set(DocumentPath("key"), .string(draft.document.key)) }
        let pressed = form["action"] ?? "save"
        let parts = pressed.split(separator: ":", maxSplits: 1)
        action = parts.first.map(String.init) ?? "save"
        if action == "undo", let previous = draft.previous { document = previous }
        guard parts.count == 2 else { return }
        let path = DocumentPath(String(parts[1]))
        if path.isInside(root), Self.isPossible(action, path.shape) { act(path, form, root) }
    }

    private static let lists: Set<String> = [
        "sections", "scales", "sections.#.options", "sections.#.questions", "sections.#.questions.#.options",
    ]

    /// Whether a kind of place has a button.
    private static func isPossible(_ action: String, _ shape: String) -> Bool {
        switch action {
        case "add": lists.contains(shape)
        case "up", "down", "copy", "remove":
            shape.hasSuffix(".#") && lists.contains(String(shape.dropLast(2)))
        case "own": shape == "sections.#.questions.#"
        case "condition": shape == "sections.#.visible_if"
        case "condition-add", "condition-remove": shape.hasPrefix("sections.#.visible_if")
        default: false
        }
    }

    private mutating func act(_ path: DocumentPath, _ form: Form, _ root: DocumentPath) {
        switch action {
        case "add": touched = document.add(to: path)
        case "up": touched = document.move(path, by: -1)
        case "down": touched = document.move(path, by: 1)
        case "copy": touched = document.copy(path)
        case "remove":
            document.remove(path)
            touched = path.parent
        case "own": ownOptions(path)
        case "condition": document.set(path, ConditionDraft().json)
        case "condition-add", "condition-remove": changeCondition(path, root)
        default: break
        }
    }

    /// Gives a question options of its own, copied from its section; taken away, it uses the section's again.
    private mutating func ownOptions(_ path: DocumentPath) {
        touched = path
        let options = path.appending("options")
        if document.json.at(options) != nil {
            document.set(options, nil)
        } else {
            let shared = DocumentPath(Array(path.steps.prefix(2))).appending("options")
            document.set(options, document.json.at(shared) ?? .array([]))
            if document.json.at(options)?.array?.isEmpty == true { document.add(to: options) }
        }
    }

    private mutating func changeCondition(_ path: DocumentPath, _ root: DocumentPath) {
        let place = root.appending("visible_if")
        touched = place
        guard var condition = document.json.at(place).map(ConditionDraft.init) else { return }
        let indices = path.steps.dropFirst(place.steps.count).compactMap { step -> Int? in
            if case .index(let index) = step { return index }
            return nil
        }
        if action == "condition-add" {
            condition.add(at: indices)
            document.set(place, condition.json)
        } else {
            document.set(place, condition.remove(at: indices) ? condition.json : nil)
        }
    }

    /// - Throws: `Problem.preconditionFailed` when another change came first.
    func save(_ c: Context<Member>) throws {
        guard document != draft.document else { return }
        let account = c.proof.account.id
        try c.write(.draftChanged, object: draft.id) { [now = c.now, document, draft] connection in
            try EditorStore.save(
                document, draft.id, expecting: draft.revision, by: account, at: now, connection)
        }
    }
}

/// The draft in the path.
enum EditorPath {
    static func draft(_ c: Context<Member>) throws -> EditorDraft {
        let id: ID<EditorDraft> = try c.id("questionnaire")
        guard let draft = try c.read({ try EditorStore.find(id, $0) }) else { throw Problem.notFound }
        return draft
    }

    /// The index of the entry that the path counts from 1.
    static func index(_ c: Context<Member>, among count: Int) throws -> Int {
        guard let number = c.places["number"].flatMap({ Int($0) }), (1...max(1, count)).contains(number),
            count > 0
        else { throw Problem.notFound }
        return number - 1
    }

    static func isChecking(_ c: Context<Member>) -> Bool { c.request.query["check"] != nil }

    /// The page that edits a place, at its field.
    static func page(_ place: DocumentPath, of id: ID<EditorDraft>, isChecking: Bool = false) -> String {
        let base = "/questionnaires/\(id)"
        let check = isChecking ? "?check=1" : ""
        guard place.steps.count > 1, case .key(let list) = place.steps[0],
            case .index(let index) = place.steps[1],
            ["sections", "scales"].contains(list)
        else { return base + check + "#" + EditorFields.anchor(place) }
        return "\(base)/\(list)/\(index + 1)\(check)#\(EditorFields.anchor(place))"
    }
}
