import HTTP
import Wire

@testable import Records
@testable import Web

/// A browser of its own in front of a test portal: it keeps the cookie it is given.
final class Browser {
    let portal: TestPortal
    var cookie = TestPortal.anonymous

    init(_ portal: TestPortal) { self.portal = portal }

    func get(_ path: String) -> Response { took(portal.send(.get, path, ["Cookie": "sid=\(cookie)"])) }

    func post(_ path: String, _ form: [(String, String)] = []) -> Response {
        let fields = form + [("form_token", portal.services.keys.formToken(for: cookie))]
        let body = fields.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
        let headers: Headers = [
            "Cookie": "sid=\(cookie)", "Content-Type": "application/x-www-form-urlencoded",
        ]
        return took(portal.send(.post, path, headers, body: Array(body.utf8)))
    }

    private func took(_ response: Response) -> Response {
        if let set = response.headers["Set-Cookie"], let end = set.firstIndex(of: ";") {
            cookie = String(set[..<end].dropFirst("sid=".count))
        }
        return response
    }

    func signIn(_ email: String = "ada@example.org", _ password: String = Cast.password, next: String = "/")
        -> Response
    {
        post("/login", [("email", email), ("password", password), ("next", next)])
    }
}
