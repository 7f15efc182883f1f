import HTTP
import Web

/// What a supervisor and a balancer ask every few seconds: whether the process answers, and whether it can work. Without
/// rate limit, and silent in the log while all is well; `/api/v1/health` tells people more.
enum ProbePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/livez", .anyone, live)
        routes.page(.get, "/readyz", .anyone, ready)
    }

    /// Looks at nothing: a database that fails is not mended by killing the process.
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
