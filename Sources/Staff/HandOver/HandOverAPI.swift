import HTTP
import Web
import Wire

/// Handing a therapy over by a call, for administrators.
enum HandOverAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/patients/:codename/hand-over", .admin,
            .nothing(
                "Hand a running therapy to another therapist",
                takes: .object([
                    Schema.property("email", .formatted("email")), Schema.optional("reason", .string.orNull),
                ])), create)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let therapy = try HandOver.therapy(c.places["codename"] ?? "", c)
        let fields = try c.body()
        let email = fields.email("email")
        let reason = fields.text("reason", limit: 300)
        try fields.finish()
        try HandOver.hand(therapy, to: email ?? "", because: reason, c)
        return .response(.noContent)
    }
}
