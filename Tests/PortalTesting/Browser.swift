import HTTP
import Wire

@testable import Records
@testable import Web

/// A browser of its own in front of a test portal: it keeps cookies until they expire, and can be closed and opened
/// again.
final class Browser {
    let portal: TestPortal
    /// The cookie that signs it in.
    var cookie: String {
        get { value(of: "sid") ?? TestPortal.anonymous }
        set { jar["sid"] = Kept(value: newValue, end: nil) }
    }

    private struct Kept {
        let value: String
        /// Nil until the browser closes.
        let end: Instant?
    }
    private var jar: [String: Kept] = [:]

    /// Its `User-Agent`; nil for none.
    let userAgent: String?
    /// The address that a trusted proxy names; nil without one.
    var address: String?

    init(_ portal: TestPortal, userAgent: String? = nil, at address: String? = nil) {
        self.portal = portal
        self.userAgent = userAgent
        self.address = address
    }

    func get(_ path: String) -> Response { took(portal.send(.get, path, saying(["Cookie": cookies]))) }

    private func saying(_ headers: Headers) -> Headers {
        var headers = headers
        if let userAgent { headers.append("User-Agent", userAgent) }
        if let address { headers.append("X-Forwarded-For", address) }
        return headers
    }

    func post(_ path: String, _ form: [(String, String)] = []) -> Response {
        let fields = form + [("form_token", portal.services.keys.formToken(for: cookie))]
        let body = fields.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
        let headers: Headers = ["Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"]
        return took(portal.send(.post, path, saying(headers), body: Array(body.utf8)))
    }

    /// Drops the cookies that end with the browser.
    func closeAndOpen() { jar = jar.filter { $0.value.end != nil } }

    /// Forgets a cookie.
    func drop(_ name: String) { jar[name] = nil }

    /// Gets a cookie of another browser.
    func keep(_ name: String, _ value: String) { jar[name] = Kept(value: value, end: nil) }

    func value(of name: String) -> String? {
        jar[name].flatMap { kept in kept.end.map { $0 <= portal.now } == true ? nil : kept.value }
    }

    private var cookies: String {
        (["sid=\(cookie)"]
            + jar.keys.sorted().filter { $0 != "sid" }.compactMap { name in
                value(of: name).map { "\(name)=\($0)" }
            }).joined(separator: "; ")
    }

    private func took(_ response: Response) -> Response {
        for field in response.headers.fields where field.name == "Set-Cookie" {
            let parts = field.value.split(separator: ";").map { $0.drop { $0 == " " } }
            let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let age = parts.first { $0.hasPrefix("Max-Age=") }.flatMap {
                Int64($0.dropFirst("Max-Age=".count))
            }
            jar[String(pair[0])] =
                age == 0 ? nil : Kept(value: String(pair[1]), end: age.map { portal.now.adding(seconds: $0) })
        }
        return response
    }

    /// - Parameter page: the address of the form, which may carry an errand.
    func signIn(
        _ email: String = "ada@example.org", _ password: String = Cast.password, next: String = "/",
        from page: String? = nil
    ) -> Response {
        let fields = [("email", email), ("password", password), ("next", next)]
        return post("/login", fields + (page.map(errand) ?? []))
    }

    /// The field by which the form of a page carries an errand; none where it carries none.
    func errand(on page: String) -> [(String, String)] {
        let found = get(page).text.firstMatch(of: /name="errand" value="([^"]+)"/)
        return found.map { [("errand", String($0.1))] } ?? []
    }
}
