import HTTP
import Records
import Web
import Wire
import Wording

/// Health, and the API's own description.
enum SystemAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/health", .anyone, .one("Whether the system is well", Health.self), health)
        routes.call(.get, "/openapi.json", .anyone, .other("This document", MediaType.json), openAPI)
        routes.page(.get, "/api/docs", .anyone, documentation)
    }

    @Sendable static func health(_ c: Context<Anyone>) throws -> Reply {
        let report = HealthReport(c.services)
        let health = Health(
            status: report.isWell ? "ok" : "failing", version: Settings.version,
            database: report.failing.isDisjoint(with: [.database, .writes]) ? "ok" : "failing",
            parts: report.parts, logLinesLost: c.services.log.losses.count,
            zones: .present)
        return try .data(One(health), status: report.isWell ? 200 : 503)
    }

    @Sendable static func openAPI(_ c: Context<Anyone>) throws -> Reply {
        .response(Response(type: MediaType.json, OpenAPI.document))
    }

    struct Documentation: Page {
        static let template = "system/api"
        struct Line: Encodable, Sendable {
            let method: String
            let path: String
            let summary: String
            let access: String
        }
        let lines: [Line]
    }

    @Sendable static func documentation(_ c: Context<Anyone>) throws -> Reply {
        let lines = Routes.all.list.compactMap { route in
            route.call.map {
                Documentation.Line(
                    method: route.method.rawValue, path: OpenAPI.path(of: route), summary: $0.summary,
                    access: c.texts["docs.access_\(route.rule.rawValue)"])
            }
        }
        return .page(Documentation(lines: lines))
    }
}
