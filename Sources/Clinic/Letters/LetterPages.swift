import Accounts
import HTTP
import Identity
import Records
import Templates
import Therapies
import Web
import Wording

/// Letters about a patient (PR-38): made from a template of the house, changed, printed. Each author sees their own.
package enum LetterPages {
    static func routes(_ routes: inout Routes) {
        let path = "/patients/:patient/letters"
        routes.page(.get, path, .caseload, index)
        routes.page(.post, path, .caseload, create)
        routes.page(.get, path + "/:letter", .caseload, show)
        routes.page(.get, path + "/:letter/edit", .caseload, edit)
        routes.page(.post, path + "/:letter/edit", .caseload, update)
        routes.page(.get, path + "/:letter/removal", .caseload, confirm)
        routes.page(.post, path + "/:letter/removal", .caseload, destroy)
    }

    package struct Index: Page {
        package static let template = "letters/index"
        package static let section: NavigationItem? = .patients
        struct Row: Encodable, Sendable {
            let title: String
            let kind: String
            let when: String
            let path: String
        }
        struct Kind: Encodable, Sendable {
            let key: String
            let label: String
        }
        let id: ID<Therapy>
        let codename: String
        /// Whether private words are hidden, letters with them.
        let isHidden: Bool
        let kinds: [Kind]
        let rows: [Row]
        let errors: ErrorSummary?
    }

    package struct Edit: Page {
        package static let template = "letters/edit"
        package static let section: NavigationItem? = .patients
        let id: ID<Therapy>
        let codename: String
        let letter: ID<LetterRecord>
        let title: String
        let revision: String?
        let fields: [FieldView]
        /// What may stand in the text.
        let names: [String]
        let isStale: Bool
        let errors: ErrorSummary?
    }

    /// The printed letter.
    package struct Show: Page {
        package static let template = "letters/show"
        package static let section: NavigationItem? = .patients
        struct Part: Encodable, Sendable {
            let html: HTML?
            let figures: [CourseFigure]
            let hasFigures: Bool
        }
        let id: ID<Therapy>
        let codename: String
        let letter: ID<LetterRecord>
        let title: String
        let parts: [Part]
    }

    package struct Removal: Page {
        package static let template = "shared/confirm"
        package static let section: NavigationItem? = .patients
        let confirm: Confirmation
    }

    private static func base(_ c: Context<Caseload>) -> String { "\(c.proof.patient.path)/letters" }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let page = try list(FormState(c.texts), c)
        try FileLook.note(c)
        return .page(page)
    }

    private static func list(_ filled: FormState, _ c: Context<Caseload>) throws -> Index {
        let therapy = c.proof.patient
        let isHidden = c.proof.therapist.hidesNames
        let key = try therapy.key(c.keys)
        let records =
            isHidden ? [] : try c.read { try LetterStore.all(in: therapy.id, by: c.proof.therapist.id, $0) }
        filled.name("kind", "letters.new")
        return Index(
            id: therapy.id, codename: therapy.codename, isHidden: isHidden,
            kinds: LetterDraft.Kind.allCases.map {
                .init(key: $0.rawValue, label: c.texts["letters.kind_\($0.rawValue)"])
            },
            rows: try records.map { record in
                let draft = try record.draft(key)
                return Index.Row(
                    title: draft.title, kind: c.texts["letters.kind_\(draft.kind.rawValue)"],
                    when: c.dates.dayAndTime(record.changedAt), path: "\(base(c))/\(record.id)")
            }, errors: filled.summary)
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try list($0, c) }) { fields in
            .seeOther("\(base(c))/\(try LetterActions.make(fields, c))/edit", flash: Message("letters.made"))
        }
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        if c.proof.therapist.hidesNames { return .seeOther(base(c)) }
        let (record, draft) = try LetterActions.found(c)
        let facts = try c.read { try LetterFacts(c, $0) }
        let parts = LetterText.parts(draft.text).map { part -> Show.Part in
            switch part {
            case .markdown(let text):
                return Show.Part(html: Markdown.html(text), figures: [], hasFigures: false)
            case .course(let name):
                // As it was when the letter was last changed: a letter that was sent does not grow.
                let figures = facts.courses.filter { name == nil || LetterFacts.name($0) == name }.compactMap
                {
                    CourseFigure($0, until: record.changedAt, c.texts, c.dates)
                }
                return Show.Part(html: nil, figures: figures, hasFigures: !figures.isEmpty)
            }
        }
        try FileLook.note(c)
        return .page(
            Show(
                id: c.proof.patient.id, codename: c.proof.patient.codename, letter: record.id,
                title: draft.title, parts: parts))
    }

    @Sendable static func edit(_ c: Context<Caseload>) throws -> Reply {
        if c.proof.therapist.hidesNames { return .seeOther(base(c)) }
        return .page(try editor(FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try editor($0, c) }, stale: { try editor($0, c) }) { fields in
            try LetterActions.change(fields, c, isForm: true)
            let id: ID<LetterRecord> = try c.id("letter")
            return .seeOther("\(base(c))/\(id)", flash: Message("letters.kept"))
        }
    }

    private static func editor(_ filled: FormState, _ c: Context<Caseload>) throws -> Edit {
        let (record, draft) = try LetterActions.found(c)
        let (facts, current) = try c.read {
            (try LetterFacts(c, $0), try LetterStore.revision(of: record.id, by: c.proof.therapist.id, $0))
        }
        return Edit(
            id: c.proof.patient.id, codename: c.proof.patient.codename, letter: record.id, title: draft.title,
            revision: filled.revision(current),
            fields: [
                filled.field("title", label: "letters.title_field", first: draft.title, required: true),
                filled.field(
                    "text", .area, label: "letters.text_field", first: draft.text, hint: "letters.text_hint",
                    required: true),
            ], names: facts.fields.map { "{{\($0)}}" }, isStale: filled.isStale, errors: filled.summary)
    }

    @Sendable static func confirm(_ c: Context<Caseload>) throws -> Reply {
        if c.proof.therapist.hidesNames { return .seeOther(base(c)) }
        let (record, draft) = try LetterActions.found(c)
        let path = "\(base(c))/\(record.id)"
        let texts = c.texts
        return .page(
            Removal(
                confirm: Confirmation(
                    title: texts["letters.removal_title", ["title": draft.title]],
                    lead: texts["letters.removal_lead"], points: [],
                    crumbs: [.init(label: texts["letters.title"], path: base(c))],
                    action: path + "/removal", submit: texts["letters.remove"], back: path, revision: nil)))
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try LetterActions.remove(c)
        return .seeOther(base(c), flash: Message("letters.removed"))
    }
}
