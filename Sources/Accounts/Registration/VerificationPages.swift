import HTTP
import Web

/// The page of the link in a patient's mail, after registering and for another address. Opening it changes nothing:
/// mail scanners open links, too.
package enum VerificationPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/verify-email", .anyone, show)
        routes.page(.post, "/verify-email", .anyone, create)
    }

    package struct Show: Page {
        package static let template = "accounts/verify-email"
        package let token: String
        package let isDone: Bool
        /// Whether it is another address of a confirmed account.
        var isChange = false
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        .page(Show(token: c.request.query["token"] ?? "", isDone: false))
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let confirmed = try Verification.confirm(try c.form()["token"] ?? "", c)
        return .page(Show(token: "", isDone: true, isChange: confirmed.isChange))
    }
}
