import HTTP
import Web

/// Keeps a session open on request: any request moves its end.
enum PresencePages {
    static func routes(_ routes: inout Routes) { routes.page(.get, "/session", .account, show) }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply { .response(.noContent) }
}
