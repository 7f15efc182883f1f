import HTTP
import Identity
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// The head of a draft, its sections and scales in order; creating, discarding and publishing drafts.
package enum EditorPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/new", .author, new)
        routes.page(.post, "/questionnaires/new", .author, create)
        routes.page(.post, "/questionnaires/:questionnaire", .author, update)
        routes.page(.post, "/questionnaires/:questionnaire/draft", .author, edit)
        routes.page(.post, "/questionnaires/:questionnaire/publication", .author, publish)
        routes.page(.get, "/questionnaires/:questionnaire/removal", .author, confirmRemoval)
        routes.page(.post, "/questionnaires/:questionnaire/removal", .author, destroy)
    }

    package struct New: Page {
        package static let template = "questionnaires/new"
        package static let section: NavigationItem? = .questionnaires
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    package struct Removal: Page {
        package static let template = "questionnaires/removal"
        package static let section: NavigationItem? = .questionnaires
        package let id: ID<EditorDraft>
        package let title: String
        package let key: String
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    // MARK: Making

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { page($0, c) }) { fields in
            let document = try read(fields, c)
            let id: ID<EditorDraft> = c.newID()
            try insert(document, id: id, basedOn: nil, c)
            return .seeOther("/questionnaires/\(id)")
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) -> New {
        let key = filled.field("key", label: "editor.key", hint: "editor.key_hint", required: true)
        var titles = LocalizedFields("title", label: "editor.title_in", first: nil, filled, c.services).fields
        titles[titles.count - 1].hint = filled.texts["editor.title_hint"]
        return New(fields: titles + [key], errors: filled.summary)
    }

    private static func read(_ fields: InputReader, _ c: Context<Member>) throws -> DraftDocument {
        let title = fields.localizedFields("title", limit: 200, lines: false)
        let key = fields.text("key", required: true, limit: 60)
        if title.isEmpty { fields.refuse("title_de", "editor.title_needed") }
        if let key {
            let pieces = FilePieces()
            if pieces.key(.string(key), "key") == nil { fields.refuse("key", "file.key") }
            if try c.read({ try QuestionnaireStore.exists(key, $0) }) {
                fields.refuse("key", "editor.key_taken")
            }
        }
        try fields.finish()
        let texts = title.translations.map { JSON.Member($0.language, .string($0.text)) }
        return DraftDocument(key: key ?? "", title: .object(texts))
    }

    static func insert(
        _ document: DraftDocument, id: ID<EditorDraft>, basedOn: ID<QuestionnaireVersion>?,
        _ c: Context<Member>
    ) throws {
        let account = c.proof.account.id
        try c.write(.draftMade, object: id) { [now = c.now] connection in
            try EditorStore.insert(id, document, basedOn: basedOn, by: account, at: now, connection)
        }
    }

    /// A published version never changes: editing creates the next draft, or continues the existing one.
    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let id: ID<QuestionnaireVersion> = try c.id("questionnaire")
        let found = try c.read {
            connection -> (key: String, document: DraftDocument, draft: ID<EditorDraft>?)? in
            guard let record = try QuestionnaireStore.find(id, c.services.questionnaires, connection) else {
                return nil
            }
            let file = try QuestionnaireStore.file(id, connection)
            let draft = try EditorStore.find(changing: record.key, connection)
            return (record.key, DraftDocument(file ?? .object([])), draft)
        }
        guard let found else { throw Problem.notFound }
        if let draft = found.draft { return .seeOther("/questionnaires/\(draft)") }
        let draft: ID<EditorDraft> = c.newID()
        try insert(found.document, id: draft, basedOn: id, c)
        return .seeOther("/questionnaires/\(draft)")
    }

    // MARK: The head

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let draft = try EditorPath.draft(c)
        let form = try c.form()
        let editing = Editing(draft, form, below: DocumentPath([]))
        if editing.isStale {
            return .page(try EditorShow.make(draft, editing.document, c, isStale: true), status: 409)
        }
        try editing.save(c)
        switch editing.action {
        case "add", "copy":
            // A new section or scale is opened to be filled in.
            if let place = editing.touched { return .seeOther(EditorPath.page(place, of: draft.id)) }
        case "publish":
            return try publishing(try EditorPath.draft(c), c)
        default: break
        }
        if let place = editing.touched {
            return .seeOther("/questionnaires/\(draft.id)#\(place.text)")
        }
        return .seeOther("/questionnaires/\(draft.id)", flash: Message("editor.saved"))
    }

    // MARK: Publishing

    @Sendable static func publish(_ c: Context<Member>) throws -> Reply {
        try publishing(try EditorPath.draft(c), c)
    }

    private static func publishing(_ draft: EditorDraft, _ c: Context<Member>) throws -> Reply {
        do {
            try Publishing.publish(draft, c)
            return .seeOther("/questionnaires/\(draft.id)", flash: Message("editor.published"))
        } catch Problem.invalid {
            return .page(try EditorShow.make(draft, draft.document, c, isChecking: true), status: 422)
        }
    }

    // MARK: Discarding

    @Sendable static func confirmRemoval(_ c: Context<Member>) throws -> Reply {
        .page(removal(try EditorPath.draft(c), FormState(c.texts), c))
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let draft = try EditorPath.draft(c)
        let form = try c.form()
        guard form["key"] == draft.document.key else {
            let errors = FieldErrors("key", "editor.removal_key")
            return .page(removal(draft, FormState(form, errors, c.texts), c), status: 422)
        }
        try c.write(.draftDiscarded, object: draft.id) { connection in
            try EditorStore.remove(draft.id, expecting: draft.revision, connection)
        }
        return .seeOther("/questionnaires", flash: Message("editor.discarded"))
    }

    private static func removal(_ draft: EditorDraft, _ filled: FormState, _ c: Context<Member>) -> Removal {
        let key = filled.field(
            "key", label: "editor.key", hint: Message("editor.removal_hint", ["key": draft.document.key]),
            required: true, autocomplete: "off")
        return Removal(
            id: draft.id, title: draft.document.title(c.language) ?? draft.document.key,
            key: draft.document.key, fields: [key], errors: filled.summary)
    }
}

/// From a draft to a version that never changes.
enum Publishing {
    /// - Throws: `Problem.invalid` with the place of every fault.
    static func publish(_ draft: EditorDraft, _ c: Context<Member>) throws {
        let definition: QuestionnaireDefinition
        switch draft.document.read() {
        case .success(let read): definition = read
        case .failure(let faults):
            var errors = FieldErrors()
            for fault in faults.list { errors.add(fault.place, fault.message.key, fault.message.values) }
            throw Problem.invalid(errors)
        }
        try c.write(.questionnairePublished, object: draft.id) { [now = c.now] connection in
            let isNew = draft.basedOn == nil
            // A draft is the next version of its base alone.
            if let base = draft.basedOn, try QuestionnaireStore.key(of: base, connection) != definition.key {
                throw Problem.invalid("key", "editor.key_fixed")
            }
            // The key of a new questionnaire was free when the draft was created; by now it may be taken.
            if isNew, try QuestionnaireStore.exists(definition.key, connection) {
                throw Problem.invalid("key", "editor.key_taken")
            }
            try EditorStore.remove(draft.id, expecting: draft.revision, connection)
            _ = try QuestionnaireStore.insert(
                draft.document.file, definition, id: draft.versionID, at: now, connection)
            try FormSourceStore.note(draft.marks, of: definition.key, at: now, connection)
        }
    }
}
