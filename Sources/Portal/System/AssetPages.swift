import HTTP
import Web
import Wording

/// Style sheets, scripts, icons, fonts, and the pictures of the guide.
enum AssetPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/assets/:name", .anyone, show)
        routes.page(.get, "/assets/fonts/:name", .anyone) {
            try asset("fonts/" + ($0.places["name"] ?? ""), $0)
        }
        routes.page(.get, "/assets/help/:name", .anyone) {
            try asset("help/" + ($0.places["name"] ?? ""), $0)
        }
        routes.page(.get, "/assets/icons/:name", .anyone) {
            try asset("icons/" + ($0.places["name"] ?? ""), $0)
        }
        routes.page(.get, "/assets/own/:tag/:name", .anyone, module)
        routes.page(.get, "/favicon.ico", .anyone, favicon)
    }

    @Sendable static func module(_ c: Context<Anyone>) throws -> Reply {
        let tag = c.places["tag"] ?? ""
        let name = c.places["name"] ?? ""
        guard let response = c.services.assets.module(name, tag: tag, to: c.request) else {
            throw Problem.notFound
        }
        return .response(response)
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply { try asset(c.places["name"] ?? "", c) }

    /// Browsers request it by themselves.
    @Sendable static func favicon(_ c: Context<Anyone>) throws -> Reply { try asset("icons/mark.svg", c) }

    private static func asset(_ name: String, _ c: Context<Anyone>) throws -> Reply {
        guard var response = c.services.assets.response(to: c.request, name: name) else {
            throw Problem.notFound
        }
        if response.headers["Cache-Control"] == nil {
            response.headers.append("Cache-Control", "public, max-age=3600")
        }
        return .response(response)
    }
}
