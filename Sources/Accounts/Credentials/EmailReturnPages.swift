import HTTP
import Web
import Wording

/// The page behind the link that a former address of staff gets (RP-215). Opening it changes nothing.
package enum EmailReturnPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .anyone, show)
        routes.page(.post, path, .anyone, create)
    }

    static let path = "/email-return"

    package struct Show: Page {
        package static let template = "accounts/email-return"
        package let token: String
        package let isDone: Bool

        package init(token: String, isDone: Bool) {
            self.token = token
            self.isDone = isDone
        }
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let token = c.request.query["token"] ?? ""
        try EmailReturn.require(token, c)
        return .page(Show(token: token, isDone: false))
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        try EmailReturn.take(try c.form()["token"] ?? "", c)
        return .page(Show(token: "", isDone: true))
    }
}
