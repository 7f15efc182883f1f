import HTTP
import Web
import Wire

/// Feedback to the project's team over the API (TYT-4).
enum ProjectFeedbackAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/feedback", .anyone,
            .nothing("Say something to the project's team", status: 202, takes: FeedbackMessage.sent), create)
        routes.call(
            .get, "/feedback", .team,
            .many("What people said to the project's team, the newest first", FeedbackMessage.self), index)
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        try ProjectFeedback(try c.body()).keep(c)
        return .response(Response(status: 202))
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply { try .data(try list(c)) }

    static func list(_ c: Context<Member>) throws -> Many<FeedbackMessage> {
        let paging = try Paging(c.request)
        let all = try c.read { try FeedbackStore.all(c.keys, $0) }
        let (part, next) = paging.part(of: all) { Position($0.attributes.receivedAt, $0.id) }
        return Many(Array(part), total: all.count, next: next)
    }
}
