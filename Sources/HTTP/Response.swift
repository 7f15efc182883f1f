/// What is answered.
public struct Response: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// A part of a file, sent without reading it into memory.
        case file(path: String, offset: Int, count: Int)
    }

    public var status: Int
    public var headers: Headers
    public var body: Body
    /// Whether the connection ends with this answer.
    public var closes = false
    /// Whether the file is removed as soon as it is opened to be sent.
    public var removesFile = false

    public init(status: Int, headers: Headers = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public init(status: Int = 200, type: String, _ bytes: [UInt8]) {
        self.init(status: status, headers: ["Content-Type": type], body: .bytes(bytes))
    }

    /// Leads on to another page after a form was taken.
    public static func seeOther(_ location: String) -> Response {
        Response(status: 303, headers: ["Location": location])
    }

    public static let noContent = Response(status: 204)

    /// The body's bytes; empty for a file.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { return bytes }
        return []
    }
}
