import HTTP
import Web
import Wording

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
        let token = c.request.query["token"] ?? ""
        guard let earlier = try Verification.earlier(token, c) else {
            return .page(Show(token: token, isDone: false))
        }
        return .page(Show(token: "", isDone: true, isChange: earlier == .change))
    }

    /// Leads back to the page of the link, which then says that the address is confirmed: loading it anew, or a second click,
    /// says the same.
    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let token = try c.form()["token"] ?? ""
        do {
            _ = try Verification.confirm(token, c)
        } catch let problem as Problem where problem.status == 410 {
            if try Verification.earlier(token, c) == nil { throw problem }
        }
        return .seeOther("/verify-email?token=\(percentEncoded(token))")
    }
}
