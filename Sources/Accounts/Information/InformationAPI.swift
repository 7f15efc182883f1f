import HTTP
import Web
import Wire

/// Information pages over the API; public, written by administrators.
enum InformationAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/info", .anyone, .many("All information pages", Info.self), index)
        let revision = InformationStore.revision
        routes.call(
            .get, "/info/:page", .anyone, .one("One information page", Info.self).revised(revision), show)
        routes.call(
            .put, "/info/:page", .admin,
            .one(
                "Publish a new version, Markdown in German, English and any other language; 201 for a new page",
                Info.self,
                takes: Info.sent
            ).revised(revision), update)
        routes.call(
            .delete, "/info/:page", .admin,
            .nothing("Remove a page that is not shipped; its texts are kept")
                .revised(revision),
            destroy)
    }

    @Sendable static func index(_ c: Context<Anyone>) throws -> Reply {
        let paging = try Paging(c.request)
        let pages = try c.read { try Information.all($0) }.enumerated().map {
            (number: $0.offset, page: $0.element)
        }
        let (part, next) = paging.part(of: pages, .earliestFirst) {
            Position(number: Int64($0.number), $0.page.key)
        }
        let items = try part.map { Item(id: $0.page.key, try wire($0.page, c)) }
        return try .data(Many(items, total: pages.count, next: next))
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let page = try Information.page(c)
        return try .data(One(id: page.key, try wire(page, c)))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        guard let page = try Information.pageOrNil(c) else {
            let key = c.places["page"] ?? ""
            try Information.add(key, try InformationDraft.read(fields), c)
            return try answer(InformationPage(added: key), c, status: 201)
        }
        let seen = try wire(page, c)
        let draft = try InformationDraft.read(fields)
        try Information.publish(draft, as: page, over: seen.version, c)
        return try answer(page, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try Information.remove(c.places["page"] ?? "", c)
        return .response(.noContent)
    }

    private static func answer(_ page: InformationPage, _ c: Context<Member>, status: Int) throws -> Reply {
        try .data(One(id: page.key, try wire(page, c)), status: status)
    }

    static func wire<P>(_ page: InformationPage, _ c: Context<P>) throws -> Info {
        let current = try c.read { try Information.current(page, c.languages, c.services, $0) }
        return Info(
            title: current.text.title, html: Markdown.rendered(current.text.body), version: current.version)
    }
}
