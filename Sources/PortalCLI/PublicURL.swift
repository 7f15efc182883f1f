import Foundation

/// What links begin with: a scheme, a host and a port alone.
enum PublicURL {
    /// - Returns: without a slash at its end; nil where none is set.
    /// - Throws: `UsageError` with the part that no link can begin with. The value may hold a password and is not shown.
    static func read(_ arguments: Arguments) throws -> String? {
        guard let text = arguments["public-url"] else { return nil }
        let hasBlanks = text.contains { $0.isWhitespace }
        guard !hasBlanks, let url = URLComponents(string: text), ["http", "https"].contains(url.scheme),
            url.host?.isEmpty == false
        else {
            throw arguments.wrong("public-url", "wants something like https://portal.example.org")
        }
        let faults = [
            (url.user != nil || url.password != nil, "a user or a password"),
            (!["", "/"].contains(url.percentEncodedPath), "a path"),
            (url.percentEncodedQuery != nil, "a query"),
            (url.percentEncodedFragment != nil, "a fragment"),
        ]
        if let fault = faults.first(where: \.0)?.1 {
            throw arguments.wrong(
                "public-url",
                "has \(fault): links begin with scheme, host and port alone, such as https://portal.example.org"
            )
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
