import Foundation
import HTTP
import Records
import Secrets
import Wording

/// Refuses forms that another site sends in an account's name.
enum Forgery {
    /// - Throws: `Problem.forbidden` before any field is looked at.
    static func check(_ request: Request, _ services: Services, cookie name: String) throws {
        guard !request.method.isSafe else { return }
        let refusal = Problem.forbidden(Message("problems.foreign_form"))
        let site = request.headers["Sec-Fetch-Site"]
        if let site, site != "same-origin" && site != "none" { throw refusal }
        if let origin = request.headers["Origin"], !isOwn(origin, services) {
            // Browsers hide the origin behind "null" where the referrer policy says so; then the site decides.
            guard origin == "null", site == "same-origin" else { throw refusal }
        }
        // Other kinds of bodies hold no token.
        guard let cookie = request.cookie(name), request.headers["Content-Encoding"] == nil,
            let token = Form(body: request)?["form_token"],
            services.keys.isFormToken(token, for: cookie)
        else { throw refusal }
    }

    private static func isOwn(_ origin: String, _ services: Services) -> Bool {
        let own = services.origin
        if origin == own { return true }
        // During a trial people may type localhost for the loopback address.
        guard services.settings.publicURL == nil, let port = own.split(separator: ":").last else {
            return false
        }
        return ["http://localhost:\(port)", "http://127.0.0.1:\(port)", "http://[::1]:\(port)"].contains(
            origin)
    }
}

/// Where an answer is read: what browsers must not do there.
package enum Surroundings: Sendable {
    case api
    /// Pages of staff and public pages.
    case portal
    /// Pages of patients and participants, which have a worker of their own.
    case participant
    /// A sheet opened by a link: its address is a secret.
    case link

    package init(_ surface: Surface, _ path: [String]) {
        switch (surface, path.first) {
        case (.api, _): self = .api
        case (.portal, "q"): self = .link
        case (.portal, "my"), (.portal, "listen"): self = .participant
        case (.portal, _): self = .portal
        }
    }
}

/// Header fields that tell browsers what they must not do.
enum SecurityHeaders {
    /// The manifest is linked on pages of studies and on those that say what went wrong, too.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        + "connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
    /// Only the named policy may turn a string into a script's address.
    static let ownPolicy =
        policy + "; worker-src 'self'; media-src 'self' blob:; "
        + "require-trusted-types-for 'script'; trusted-types intersession"

    /// - Parameter isPublic: for public answers, such as information pages; all others must not be cached on the way.
    static func add(
        to response: inout Response, _ surroundings: Surroundings, isPublic: Bool, isSecure: Bool
    ) {
        response.headers.append("X-Content-Type-Options", "nosniff")
        // Not no-referrer elsewhere: browsers would then hide the origin of our own forms.
        let referrer = surroundings == .link ? "no-referrer" : "same-origin"
        response.headers.append("Referrer-Policy", referrer)
        response.headers.append("Cross-Origin-Resource-Policy", "same-origin")
        if surroundings != .api {
            let isOwn = surroundings == .participant || surroundings == .link
            response.headers.append("Content-Security-Policy", isOwn ? ownPolicy : policy)
            response.headers.append("Cross-Origin-Opener-Policy", "same-origin")
            // A page whose questionnaire uses a sensor sets the policy itself.
            if response.headers["Permissions-Policy"] == nil {
                response.headers.append("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
            }
        }
        if response.headers["Cache-Control"] == nil {
            let isKept = surroundings == .api && isPublic
            response.headers.append("Cache-Control", isKept ? "private, no-cache" : "no-store")
        }
        if isSecure {
            response.headers.append("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
        }
    }
}
