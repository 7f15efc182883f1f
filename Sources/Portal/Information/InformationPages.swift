import HTTP
import Templates
import Wire

/// Information pages in the portal: read by everybody, written by administrators.
enum InformationPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/info/:page", .anyone, show)
        routes.page(.get, "/admin/information", .admin, index)
        routes.page(.get, "/admin/information/:page", .admin, edit)
        routes.page(.post, "/admin/information/:page", .admin, update)
    }

    struct Show: Page {
        static let template = "information/show"
        let title: String
        let text: HTML
        let version: String
        let others: [PageLink]
        static let example = Show(
            title: "Datenschutz", text: Markdown.html("Ihre *Daten*"), version: "Fassung 1",
            others: [PageLink(label: "Impressum", path: "/info/imprint", isCurrent: false)])
    }

    struct Index: Page {
        static let template = "admin/information"
        static let section: Section? = .admin
        let rows: [Row]
        struct Row: Encodable, Sendable {
            let title: String
            let path: String
            let version: String
        }
        static let example = Index(
            rows: [Row(title: "Datenschutz", path: "/admin/information/privacy", version: "Fassung 1")])
    }

    struct Edit: Page {
        static let template = "admin/information-page"
        static let section: Section? = .admin
        let title: String
        let action: String
        let path: String
        let version: String
        /// The version that is in view, as it is sent along.
        let seen: String
        let sides: [Side]
        let errors: ErrorSummary?
        struct Side: Encodable, Sendable {
            let heading: String
            let fields: [FieldView]
        }
        static let example = Edit(
            title: "Datenschutz", action: "/admin/information/privacy", path: "/info/privacy",
            version: "Fassung 1", seen: "1",
            sides: [Side(heading: "Deutsch", fields: [FieldView(name: "title_de", label: "Titel")])],
            errors: nil)
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let page = try Information.page(c)
        let current = try c.read { try Information.current(page, c.language, c.services, $0) }
        let others = try InformationPage.allCases.map { other in
            PageLink(label: try title(other, c), path: "/info/\(other.rawValue)", isCurrent: other == page)
        }
        return .page(
            Show(
                title: current.text.title, text: Markdown.html(current.text.body),
                version: c.texts["information.version", ["number": String(current.version)]], others: others))
    }

    private static func title<P>(_ page: InformationPage, _ c: Context<P>) throws -> String {
        try c.read { try Information.current(page, c.language, c.services, $0) }.text.title
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let rows = try InformationPage.allCases.map { page in
            let current = try c.read { try Information.current(page, c.language, c.services, $0) }
            return Index.Row(
                title: current.text.title, path: "/admin/information/\(page.rawValue)",
                version: c.texts["information.version", ["number": String(current.version)]])
        }
        return .page(Index(rows: rows))
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        .page(try form(try Information.page(c), Filled(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let (page, sent) = (try Information.page(c), try c.form())
        do {
            let draft = try InformationDraft.read(form: Fields(form: sent))
            try Information.publish(draft, as: page, over: sent["version"].flatMap { Int($0) } ?? 0, c)
            return .seeOther("/admin/information", flash: Message("information.published"))
        } catch Problem.preconditionFailed {
            let errors = FieldErrors("text_de", "information.changed_meanwhile")
            return .page(try form(page, Filled(sent, errors, c.texts), c), status: 422)
        } catch Problem.invalid(let errors) {
            return .page(try form(page, Filled(sent, errors, c.texts), c), status: 422)
        }
    }

    private static func form(_ page: InformationPage, _ filled: Filled, _ c: Context<Member>) throws -> Edit {
        let current = try c.read { connection in
            try Language.allCases.map { try Information.current(page, $0, c.services, connection) }
        }
        let sides = zip(Language.allCases, current).map { language, now in
            var title = filled.field(
                "title_\(language.rawValue)", label: "information.title_field", first: now.text.title)
            (title.isRequired, title.lang) = (true, language.rawValue)
            var text = filled.field(
                "text_\(language.rawValue)", label: "information.text", first: now.text.body)
            (text.isArea, text.lang, text.isRequired) = (true, language.rawValue, true)
            text.hint = filled.texts["information.text_hint"]
            return Edit.Side(heading: c.services.texts(language)["frame.language"], fields: [title, text])
        }
        let version = String(current.first?.version ?? 1)
        return Edit(
            title: try title(page, c), action: "/admin/information/\(page.rawValue)",
            path: "/info/\(page.rawValue)", version: filled.texts["information.version", ["number": version]],
            seen: version, sides: sides, errors: filled.summary)
    }
}
