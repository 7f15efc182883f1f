import Database
import HTTP
import Templates
import Web
import Wire
import Wording

/// Information pages in the portal: read by everybody, written by administrators.
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

    /// Information pages everybody looks for, and those the clinic has added.
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

        package static let example = Show(
            title: "Datenschutz", text: Markdown.html("Ihre *Daten*"), version: "Version 1",
            others: [PageLink(label: "Impressum", path: "/info/imprint", isCurrent: false)])
    }

    package struct Index: Page {
        package static let template = "admin/information"
        package static let section: NavigationItem? = .admin
        package let rows: [Row]
        /// Added ones that are not shown any more.
        package let removed: [Row]
        package let hasRemoved: Bool

        package struct Row: Encodable, Sendable {
            package let title: String
            package let path: String
            package let version: String
            /// Whether it may be removed: only pages that are not shipped.
            let isAdded: Bool
        }
        package static let example = Index(
            rows: [
                Row(
                    title: "Datenschutz", path: "/admin/information/privacy", version: "Version 1",
                    isAdded: false),
                Row(
                    title: "Anreise", path: "/admin/information/journey", version: "Version 1", isAdded: true),
            ],
            removed: [
                Row(title: "Feste", path: "/admin/information/feasts", version: "Version 1", isAdded: true)
            ], hasRemoved: true)
    }

    package struct Edit: Page {
        package static let template = "admin/information-page"
        package static let section: NavigationItem? = .admin
        package let title: String
        package let action: String
        /// Nil for a new one.
        package let standing: Standing?
        /// The part of the address of a new one; nil where it is there already.
        package let key: FieldView?
        /// The version that is in view, as it is sent along.
        package let seen: String
        let sides: [Side]
        package let errors: ErrorSummary?

        package init(
            title: String, action: String, standing: Standing?, key: FieldView?, seen: String, sides: [Side],
            errors: ErrorSummary?

        ) {
            self.title = title
            self.action = action
            self.standing = standing

            self.key = key
            self.seen = seen
            self.sides = sides
            self.errors = errors
        }
        package struct Side: Encodable, Sendable {
            package let heading: String
            package let fields: [FieldView]
        }
        package struct Standing: Encodable, Sendable {
            package let path: String
            package let version: String
        }
        package static let example = Edit(
            title: "Datenschutz", action: "/admin/information/privacy",
            standing: Standing(path: "/info/privacy", version: "Version 1"),
            key: FieldView(name: "page", label: "Adresse"), seen: "1",
            sides: [Side(heading: "Deutsch", fields: [FieldView(name: "title_de", label: "Titel")])],
            errors: nil)
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
        let sent = try c.form()
        do {
            let draft = try InformationDraft.read(form: InputReader(form: sent))
            try Information.publish(draft, as: page, over: sent["version"].flatMap { Int($0) } ?? 0, c)
            return .seeOther("/admin/information", flash: Message("information.published"))
        } catch Problem.preconditionFailed {
            let errors = FieldErrors("text_de", "information.changed_meanwhile")
            return .page(try form(page, FormState(sent, errors, c.texts), c), status: 422)
        } catch Problem.invalid(let errors) {
            return .page(try form(page, FormState(sent, errors, c.texts), c), status: 422)
        }
    }

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(newForm(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let sent = try c.form()
        do {
            let fields = InputReader(form: sent)
            let key = fields.text("page", required: true, limit: 40)
            if let key, !InformationPage.isKey(key) { fields.refuse("page", "information.bad_key") }
            let draft = try InformationDraft.read(form: fields)
            try Information.add(key ?? "", draft, c)
            return .seeOther("/admin/information", flash: Message("information.published"))
        } catch Problem.invalid(let errors), Problem.conflict(_, let errors) {
            return .page(newForm(FormState(sent, errors, c.texts), c), status: 422)
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
        var key = filled.field("page", label: "information.key")
        key.isRequired = true
        key.hint = c.texts["information.key_hint"]
        return Edit(
            title: c.texts["information.new"], action: "/admin/information/new", standing: nil, key: key,
            seen: "0", sides: sides([:], filled, c), errors: filled.summary)
    }

    private static func sides(
        _ current: [Language: InformationText], _ filled: FormState, _ c: Context<Member>
    ) -> [Edit.Side] {
        c.services.languages.map { language in
            let now = current[language]
            var title = filled.field(
                "title_\(language.rawValue)", label: "information.title_field", first: now?.title ?? "")
            let isNeeded = language == .german || language == .english
            title.isRequired = isNeeded
            title.lang = language.rawValue
            var text = filled.field(
                "text_\(language.rawValue)", label: "information.text", first: now?.body ?? "")
            text.isArea = true
            text.isRequired = isNeeded
            text.lang = language.rawValue
            text.hint = filled.texts["information.text_hint"]
            return Edit.Side(heading: c.services.texts(language)["frame.language"], fields: [title, text])
        }
    }
}
