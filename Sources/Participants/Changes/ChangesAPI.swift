import HTTP
import Identity
import Therapies
import Web
import Wire
import Wording

/// The changed lists in one call. Each tag is made by the list's own route, as for a `GET`.
enum ChangesAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/changes", .patient,
            .one("The tags that the caller's lists would answer now", Changes.self), show)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let isPaired = try c.read { try TherapyStore.running(of: c.proof.account.id, $0) } != nil
        var tags: [String: String] = [:]
        for name in Changes.names {
            tags[name] = try tag(of: Changes.path(of: name), isPaired: isPaired, c)
        }
        return try .data(One(Changes(tags)))
    }

    private static func tag(
        of path: String, isPaired: Bool, _ c: Context<Member>
    ) throws -> String? {
        guard let target = Target("/api/v1" + path) else { return nil }
        var headers = Headers()
        if let wanted = c.request.headers["Accept-Language"] { headers.append("Accept-Language", wanted) }
        let request = Request(
            method: .get, target: target, headers: headers, peer: c.request.peer,
            isAwaited: c.request.isAwaited)
        let (route, places) = try c.services.routes.match(.get, request.path)
        if route.rule == .paired, !isPaired { return nil }
        do {
            let reply = try route.run(request, places, c.actor, c.language, c.services, c.now)
            guard case .response(var response) = reply else { return nil }
            Conditional.tag(&response, request)
            return response.headers["ETag"]
        } catch let problem as Problem where problem.status == 404 {
            // A list that does not exist has no tag.
            return nil
        }
    }
}
