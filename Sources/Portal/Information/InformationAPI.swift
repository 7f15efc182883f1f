import HTTP
import Wire

/// Information pages over the API; public, written by administrators.
enum InformationAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/info", .anyone, .many("All information pages", Info.self), index)
        routes.call(.get, "/info/:page", .anyone, .one("One information page", Info.self), show)
        routes.call(
            .put, "/info/:page", .admin,
            .one("Publish a new version, Markdown in both languages", Info.self, takes: Info.sent).matching,
            update)
    }

    @Sendable static func index(_ c: Context<Anyone>) throws -> Reply {
        let paging = try Paging(c.request)
        let pages = InformationPage.allCases.enumerated().map { (number: $0.offset, page: $0.element) }
        let (part, next) = paging.part(of: pages, .earliestFirst) {
            Position(number: Int64($0.number), $0.page.rawValue)
        }
        let items = try part.map { Item(id: $0.page.rawValue, try wire($0.page, c)) }
        return try .data(Many(items, total: pages.count, next: next))
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let page = try Information.page(c)
        return try .data(One(id: page.rawValue, try wire(page, c)))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let page = try Information.page(c)
        let seen = try wire(page, c)
        let draft = try InformationDraft.read(json: try c.body())
        try Conditional.requireMatch(
            c.request, current: try JSONWriter.bytes(of: One(id: page.rawValue, seen)))
        try Information.publish(draft, as: page, over: seen.version, c)
        return try Conditional.tagged(try .data(One(id: page.rawValue, try wire(page, c))))
    }

    private static func wire<P>(_ page: InformationPage, _ c: Context<P>) throws -> Info {
        let current = try c.read { try Information.current(page, c.language, c.services, $0) }
        return Info(
            title: current.text.title, html: Markdown.rendered(current.text.body), version: current.version)
    }
}
