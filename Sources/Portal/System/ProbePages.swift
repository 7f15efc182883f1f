import HTTP
import Web

/// Frequent requests of supervisors and balancers: whether the process answers, and whether it can work. Without rate
/// limit, and not logged while all is well; `/api/v1/health` gives people more.
enum ProbePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/livez", .anyone, live)
        routes.page(.get, "/readyz", .anyone, ready)
    }

    /// Checks nothing: killing the process does not repair a failing database.
    @Sendable static func live(_ c: Context<Anyone>) throws -> Reply { answer("ok", 200) }

    @Sendable static func ready(_ c: Context<Anyone>) throws -> Reply {
        c.services.readiness.isReady(c.services) ? answer("ready", 200) : answer("not ready", 503)
    }

    private static func answer(_ word: String, _ status: Int) -> Reply {
        var response = Response(
            status: status, type: "text/plain; charset=utf-8", Array((word + "\n").utf8))
        if status == 503 { response.headers.append("Retry-After", "5") }
        return .response(response)
    }
}
