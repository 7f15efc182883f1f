import HTTP
import Web
import Wire

/// Where the link to a new address leads, and asking for it over the API. Opening the link changes nothing: mail scanners
/// open links too.
package enum AddressChangePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/confirm-email", .anyone, show)
        routes.page(.post, "/confirm-email", .anyone, create)
        routes.call(
            .post, "/my/email", .patient,
            .nothing(
                "Ask for another address: it counts once the link sent there is opened", status: 202,
                takes: .object([
                    Schema.property("email", .string), Schema.property("current_password", .string),
                ])), ask)
    }

    package struct Show: Page {
        package static let template = "accounts/confirm-email"
        package let token: String
        package let isDone: Bool
        package static let example = Show(token: "3o6XyVYqk2Jm0Qn5c1mBvY0dYp7nF2rQk8sLwT4uZaE", isDone: false)
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        .page(Show(token: c.request.query["token"] ?? "", isDone: false))
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        try AddressChange.confirm(try c.form()["token"] ?? "", c)
        return .page(Show(token: "", isDone: true))
    }

    @Sendable static func ask(_ c: Context<Member>) throws -> Reply {
        try AddressChange.ask(try c.body(), c)
        return .response(Response(status: 202))
    }
}
