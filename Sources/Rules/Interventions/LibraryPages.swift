import Database
import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// The library of interventions: own texts, and those shared in the clinic.
package enum LibraryPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/interventions", .author, index)
        routes.page(.get, "/interventions/new", .author, new)
        routes.page(.post, "/interventions/new", .author, create)
        routes.page(.get, "/interventions/:intervention", .author, show)
        routes.page(.post, "/interventions/:intervention", .author, update)
        routes.page(.post, "/interventions/:intervention/removal", .author, undo: .shelf, destroy)
    }

    package struct Index: Page {
        package static let template = "interventions/index"
        package static let section: NavigationItem? = .interventions
        package struct Row: Encodable, Sendable {
            package let id: ID<LibraryIntervention>
            package let text: String
            package let kind: String
            package let languages: String
            package let reach: String
            package let outcome: String
        }
        package let rows: [Row]
        package let filters: [PageLink]
        package let isEmpty: Bool
    }

    package struct Edit: Page {
        package static let template = "interventions/edit"
        package static let section: NavigationItem? = .interventions
        package let title: String
        package let action: String
        /// The address of its removal; nil for a new one.
        package let removal: String?
        package let fields: [FieldView]
        package let outcome: String?
        /// A text of another owner: shown, not changeable.
        let isReadOnly: Bool
        package let texts: [Text]
        package let errors: ErrorSummary?

        package struct Text: Encodable, Sendable {
            package let language: String
            package let label: String
            package let text: String
        }
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account.id
        let kind = c.request.query["kind"].flatMap(InterventionKind.init(rawValue:))
        let (all, uses) = try c.read { connection in
            (try LibraryStore.all(for: account, connection), try LibraryStore.uses(of: account, connection))
        }
        let rows = all.filter { kind == nil || $0.kind == kind }.map { record in
            Index.Row(
                id: record.id, text: record.text.text(in: c.languages) ?? "",
                kind: c.texts["interventions.kind_\(record.kind.rawValue)"],
                languages: languages(record.text),
                reach: c.texts[record.isShared ? "interventions.shared" : "interventions.own"],
                outcome: outcome(uses[record.id], c.texts))
        }
        let link = { (kind: InterventionKind?, current: InterventionKind?) in
            PageLink(
                label: c.texts[kind.map { "interventions.kinds_\($0.rawValue)" } ?? "patients.all"],
                path: "/interventions" + (kind.map { "?kind=\($0.rawValue)" } ?? ""),
                isCurrent: kind == current)
        }
        let filters = [link(nil, kind)] + InterventionKind.allCases.map { link($0, kind) }
        return .page(Index(rows: rows, filters: filters, isEmpty: all.isEmpty))
    }

    private static func languages(_ text: LocalizedText) -> String {
        text.languages.map { $0.uppercased() }.joined(separator: " · ")
    }

    private static func outcome(_ use: LibraryUse?, _ texts: Texts) -> String {
        guard let use else { return texts["interventions.unused"] }
        let values = [
            "opened": String(use.opened), "completed": String(use.completed), "of": String(use.uses),
        ]
        return texts.count("interventions.used", use.uses) + " · " + texts["interventions.outcome", values]
    }

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(try page(nil, FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page(nil, $0, c) }) { fields in
            let draft = try LibraryDraft.read(fields)
            let id: ID<LibraryIntervention> = c.newID()
            let owner = c.proof.account.id
            try c.write(.libraryChanged, object: id) { [now = c.now] connection in
                try LibraryStore.insert(draft, id: id, owner: owner, at: now, connection)
            }
            return .seeOther("/interventions", flash: Message("interventions.saved"))
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id: ID<LibraryIntervention> = try c.id("intervention")
        let account = c.proof.account.id
        guard let found = try c.read({ try LibraryStore.find(id, for: account, $0) }), !found.isRetired else {
            throw Problem.notFound
        }
        return .page(try page(found, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let existing = try Shelf.editable(c)
        return try c.revise(orShow: { try page(existing, $0, c) }) { fields in
            try Shelf.save(try LibraryDraft.read(fields, over: existing), over: existing, c)
            return .seeOther("/interventions", flash: Message("interventions.saved"))
        }
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try Shelf.retire(c)
        return .seeOther("/interventions", flash: Message("interventions.removed"))
    }

    private static func page(_ record: LibraryRecord?, _ filled: FormState, _ c: Context<Member>) throws
        -> Edit
    {
        let texts = c.texts
        let kind = InterventionKind.field(filled, first: record?.kind ?? .task)
        var written = LocalizedFields(
            "text", label: "interventions.text_in", first: record?.text, isArea: true, filled, c.services
        ).fields
        written[written.count - 1].hint = texts["interventions.language_hint"]
        let shared = filled.box(
            "shared", label: "interventions.share", hint: "interventions.share_hint",
            isOn: record?.isShared ?? false)
        let account = c.proof.account.id
        let uses = try c.read { try LibraryStore.uses(of: account, $0) }
        let path = record.map { "/interventions/\($0.id)" }
        let isReadOnly = record.map { !$0.mayBeChanged(by: account) } ?? false
        return Edit(
            title: texts[record == nil ? "interventions.new" : "interventions.edit"],
            action: path ?? "/interventions/new", removal: isReadOnly ? nil : path.map { $0 + "/removal" },
            fields: [kind] + written + [shared],
            outcome: record.map { outcome(uses[$0.id], texts) },
            isReadOnly: isReadOnly, texts: record.map { shown($0.text, c) } ?? [],
            errors: filled.summary)
    }

    private static func shown(_ text: LocalizedText, _ c: Context<Member>) -> [Edit.Text] {
        text.translations.map { code, words in
            let name = Language(rawValue: code).map { c.services.name(of: $0, for: c.texts) } ?? code
            return Edit.Text(
                language: code, label: c.texts["interventions.text_in", ["language": name]], text: words)
        }
    }
}
