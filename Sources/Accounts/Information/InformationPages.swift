import Database
import HTTP
import Templates
import Web
import Wire
import Wording

/// Information pages in the portal: public, written by administrators.
package enum InformationPages {
    static func routes(_ routes: inout Routes) {
        routes.foot(foot)
        routes.page(.get, "/info/:page", .anyone, show)
        routes.page(.get, "/admin/information", .admin, index)
        routes.page(.get, "/admin/information/new", .admin, new)
        routes.page(.post, "/admin/information/new", .admin, create)
        routes.page(.get, "/admin/information/:page", .admin, edit)
        routes.page(.post, "/admin/information/:page", .admin, update)
        routes.page(.post, "/admin/information/:page/removal", .admin, remove)
        routes.page(.post, "/admin/information/:page/return", .admin, bringBack)
    }

    /// The information pages every reader looks for, and those the clinic has added.
    @Sendable static func foot(
        _ language: Language, _ texts: Texts, _ connection: borrowing Connection
    ) throws -> [Layout.Foot] {
        let shipped: [ShippedPage] = [.privacy, .imprint, .contact, .help, .licences]
        let added = try InformationStore.addedTitles(connection)
        return shipped.map {
            Layout.Foot(label: texts["frame.\($0.rawValue)"], path: "/info/\($0.rawValue)")
        }
            + added.map {
                Layout.Foot(label: $0.title.text(in: language) ?? $0.key, path: "/info/\($0.key)")
            }
    }

    package struct Show: Page {
        package static let template = "information/show"
        package let title: String
        package let text: HTML
        package let version: String
        package let others: [PageLink]
    }

    package struct Index: Page {
        package static let template = "admin/information"
        package static let section: NavigationItem? = .admin
        package let rows: [Row]
        /// Added pages that were removed.
        package let removed: [Row]
        package let hasRemoved: Bool

        package struct Row: Encodable, Sendable {
            package let title: String
            package let path: String
            package let version: String
            /// Whether it may be removed: only pages that are not shipped.
            let isAdded: Bool
        }
    }

    package struct Edit: Page {
        package static let template = "admin/information-page"
        package static let section: NavigationItem? = .admin
        package let title: String
        package let action: String
        /// Nil for a new one.
        package let standing: Standing?
        /// The last part of a new page's address; nil for existing ones.
        package let key: FieldView?
        /// The version the form is based on, sent with it.
        package let seen: String
        let sides: [Side]
        package let errors: ErrorSummary?

        package struct Side: Encodable, Sendable {
            package let heading: String
            package let fields: [FieldView]
        }
        package struct Standing: Encodable, Sendable {
            package let path: String
            package let version: String
        }
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let page = try Information.page(c)
        let current = try c.read { try Information.current(page, c.languages, c.services, $0) }
        let others = try c.read { connection in
            try Information.all(connection).map { other in
                PageLink(
                    label: try Information.current(other, c.languages, c.services, connection).text.title,
                    path: "/info/\(other.key)", isCurrent: other == page)
            }
        }
        return .page(
            Show(
                title: current.text.title, text: Markdown.html(current.text.body),
                version: c.texts["information.version", ["number": String(current.version)]], others: others))
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let (rows, removed) = try c.read { connection in
            (
                try Information.all(connection).map { try row($0, c, connection) },
                try InformationStore.added(isRemoved: true, connection).map {
                    try row(InformationPage(added: $0), c, connection)
                }
            )
        }
        return .page(Index(rows: rows, removed: removed, hasRemoved: !removed.isEmpty))
    }

    private static func row(
        _ page: InformationPage, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Index.Row {
        let current = try Information.current(page, c.languages, c.services, connection)
        return Index.Row(
            title: current.text.title, path: "/admin/information/\(page.key)",
            version: c.texts["information.version", ["number": String(current.version)]],
            isAdded: page.shipped == nil)
    }

    // MARK: Writing

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        .page(try form(try Information.page(c), FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let page = try Information.page(c)
        return try c.submit(orShow: { try form(page, $0, c) }) { fields in
            let draft = try InformationDraft.read(fields)
            do {
                let seen = fields.form["version"].flatMap { Int($0) } ?? 0
                try Information.publish(draft, as: page, over: seen, c)
            } catch Problem.preconditionFailed {
                throw Problem.invalid("text_de", "information.changed_meanwhile")
            }
            return .seeOther("/admin/information", flash: Message("information.published"))
        }
    }

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(newForm(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { newForm($0, c) }) { fields in
            let key = fields.text("page", required: true, limit: 40)
            if let key, !InformationPage.isKey(key) { fields.refuse("page", "information.bad_key") }
            let draft = try InformationDraft.read(fields)
            do {
                try Information.add(key ?? "", draft, c)
            } catch Problem.conflict(_, let errors) {
                throw Problem.invalid(errors)
            }
            return .seeOther("/admin/information", flash: Message("information.published"))
        }
    }

    @Sendable package static func remove(_ c: Context<Member>) throws -> Reply {
        try Information.remove(c.places["page"] ?? "", c)
        return .seeOther("/admin/information", flash: Message("information.was_removed"))
    }

    @Sendable static func bringBack(_ c: Context<Member>) throws -> Reply {
        try Information.bringBack(c.places["page"] ?? "", c)
        return .seeOther("/admin/information", flash: Message("information.was_returned"))
    }

    private static func form(_ page: InformationPage, _ filled: FormState, _ c: Context<Member>) throws
        -> Edit
    {
        let (number, texts) = try c.read { try Information.texts(of: page, c.services, $0) }
        let version = String(number)
        return Edit(
            title: try c.read { try Information.current(page, c.languages, c.services, $0) }.text.title,
            action: "/admin/information/\(page.key)",
            standing: Edit.Standing(
                path: "/info/\(page.key)", version: c.texts["information.version", ["number": version]]),
            key: nil, seen: version, sides: sides(texts, filled, c), errors: filled.summary)
    }

    private static func newForm(_ filled: FormState, _ c: Context<Member>) -> Edit {
        let key = filled.field("page", label: "information.key", hint: "information.key_hint", required: true)
        return Edit(
            title: c.texts["information.new"], action: "/admin/information/new", standing: nil, key: key,
            seen: "0", sides: sides([:], filled, c), errors: filled.summary)
    }

    private static func sides(
        _ current: [Language: InformationText], _ filled: FormState, _ c: Context<Member>
    ) -> [Edit.Side] {
        c.services.languages.map { language in
            let now = current[language]
            let isNeeded = language == .german || language == .english
            var title = filled.field(
                "title_\(language.rawValue)", label: "information.title_field", first: now?.title ?? "",
                required: isNeeded)
            var text = filled.field(
                "text_\(language.rawValue)", .area, label: "information.text", first: now?.body ?? "",
                hint: "information.text_hint", required: isNeeded)
            title.lang = language.rawValue
            text.lang = language.rawValue
            return Edit.Side(heading: c.services.texts(language)["frame.language"], fields: [title, text])
        }
    }
}
