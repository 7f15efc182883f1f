import HTTP
import Web
import Wire

/// Another address for a confirmed account over the API (IO-2). Its link is confirmed like that of a registration.
enum EmailChangeAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/my/email", .account,
            .nothing(
                "Ask for another address; a link goes there, and until it is confirmed the old one counts. The answer is "
                    + "the same for every address. Staff with a second factor send a code of it, too",
                status: 202,
                takes: .object([
                    Schema.property("email", .formatted("email")), Schema.property("password", .string),
                    Schema.optional("totp", .string),
                ])), create)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try EmailChangeActions.ask(try c.body(), c)
        return .response(Response(status: 202))
    }
}
