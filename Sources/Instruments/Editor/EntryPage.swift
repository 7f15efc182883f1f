import HTTP
import JSON
import Questionnaires
import Web
import Wording

/// What the pages of a section and of a scale share: one entry of a list, stored before the pressed button acts.
enum EntryPage {
    struct View: Sendable {
        /// From 0; the path counts from 1.
        let index: Int
        let draft: EditorDraft
        let document: DraftDocument
        /// Whether all faults were asked for.
        let isChecking: Bool
        /// Another change came first; the document holds the input on top of the present state.
        let isStale: Bool
    }

    /// - Parameter list: `sections` or `scales`.
    static func show(_ list: String, _ c: Context<Member>, _ page: (View) -> any Page) throws -> Reply {
        let draft = try EditorPath.draft(c)
        let view = View(
            index: try index(list, draft, c), draft: draft, document: draft.document,
            isChecking: EditorPath.isChecking(c), isStale: false)
        return .page(page(view))
    }

    static func update(_ list: String, _ c: Context<Member>, _ page: (View) -> any Page) throws -> Reply {
        let draft = try EditorPath.draft(c)
        let form = try c.form()
        let index = try index(list, draft, c)
        let editing = Editing(draft, form, below: DocumentPath("\(list).\(index)"))
        let isChecking = form["check"] != nil || EditorPath.isChecking(c)
        if editing.isStale {
            let view = View(
                index: index, draft: draft, document: editing.document, isChecking: isChecking, isStale: true)
            return .page(page(view), status: 409)
        }
        try editing.save(c)
        let base = "/questionnaires/\(draft.id)"
        switch editing.action {
        case "close": return .seeOther("\(base)#\(list).\(index)", flash: Message("editor.saved"))
        case "save":
            let check = isChecking ? "?check=1" : ""
            return .seeOther("\(base)/\(list)/\(index + 1)\(check)", flash: Message("editor.saved"))
        default:
            let anchor = editing.touched.map { "#\($0.text)" } ?? ""
            return .seeOther("\(base)/\(list)/\(index + 1)\(anchor)")
        }
    }

    private static func index(_ list: String, _ draft: EditorDraft, _ c: Context<Member>) throws -> Int {
        try EditorPath.index(c, among: draft.document.json[list]?.array?.count ?? 0)
    }
}
