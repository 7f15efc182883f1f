import HTTP
import Web

/// Somebody says that they are still there: asking at all moves the end of the session.
enum PresencePages {
    static func routes(_ routes: inout Routes) { routes.page(.get, "/session", .account, show) }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply { .response(.noContent) }
}
