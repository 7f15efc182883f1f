/// The methods this server takes; any other is answered 405.
public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether it only reads.
    public var isSafe: Bool { self == .get || self == .head }
}
