import HTTP
import Web

/// Where the link in a patient's mail leads, after registering and for another address. Opening it changes nothing: mail scanners open links too.
package enum VerificationPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/verify-email", .anyone, show)
        routes.page(.post, "/verify-email", .anyone, create)
    }

    package struct Show: Page {
        package static let template = "accounts/verify-email"
        package let token: String
        package let isDone: Bool
        /// Another address of an account that had one.
        var isChange = false

        package static let example = Show(token: "3o6XyVYqk2Jm0Qn5c1mBvY0dYp7nF2rQk8sLwT4uZaE", isDone: false)
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        .page(Show(token: c.request.query["token"] ?? "", isDone: false))
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let confirmed = try Verification.confirm(try c.form()["token"] ?? "", c)
        return .page(Show(token: "", isDone: true, isChange: confirmed.isChange))
    }
}
