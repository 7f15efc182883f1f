/// A link that opens one assignment without signing in; disclosed once.
public struct AssignmentLink: Documented, Decodable {
    public static let type = "assignment_link"
    public var url: String
    public var expiresAt: Instant

    public init(url: String, expiresAt: Instant) { (self.url, self.expiresAt) = (url, expiresAt) }

    public static let example = AssignmentLink(
        url: "https://praxis.example/q/q3u0x4x0cWkq5v8y1kq0Zr9m2n6b7s4t1w8x5y2z9aB",
        expiresAt: .example)
}
