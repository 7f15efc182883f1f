import HTTP
import Web
import Wire

/// Passwords over the API (IO-2).
enum PasswordAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/auth/password/forgot", .anyone,
            .nothing(
                "Ask for a link to set a new password; the answer is the same for every address", status: 202,
                takes: .object([Schema.property("email", .string)])), forgot)
        routes.call(
            .post, "/auth/password/reset", .anyone,
            .nothing("Set a new password by a link; everything signed in is not any more", takes: reset),
            reset)
        routes.call(
            .put, "/my/password", .account,
            .nothing("Change the password; other devices are signed out", takes: change), change)
    }

    private static let reset = Schema.object([
        Schema.property("token", .string), Schema.property("password", .string),
        Schema.property("password_confirmation", .string),
    ])
    private static let change = Schema.object([
        Schema.property("current_password", .string), Schema.property("password", .string),
        Schema.property("password_confirmation", .string),
    ])

    @Sendable static func forgot(_ c: Context<Anyone>) throws -> Reply {
        let fields = try c.body()
        let email = fields.email("email")
        try fields.finish()
        try Password.forgot(email ?? "", c)
        return .response(Response(status: 202))
    }

    @Sendable static func reset(_ c: Context<Anyone>) throws -> Reply {
        try Password.reset(try c.body(), c)
        return .response(.noContent)
    }

    @Sendable static func change(_ c: Context<Member>) throws -> Reply {
        try Password.change(try c.body(), c)
        return .response(.noContent)
    }
}
