/// A request to another server.
public struct OutboundRequest: Sendable {
    public let method: String
    public let url: String
    public let headers: [(String, String)]
    public let body: [UInt8]

    public init(method: String = "POST", url: String, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The server's answer.
public struct OutboundReply: Sendable, Equatable {
    public let status: Int
    /// By their names in small letters; of several with one name the last.
    public let headers: [String: String]
    public let body: [UInt8]
}

/// Why there is no answer. Names neither host nor address, so it may be shown and logged.
public struct OutboundError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        case refused, unknownHost, unreachable, tls, timeout, tooLong, broken
    }

    public let kind: Kind
    /// libcurl's message.
    public let reason: String
    /// The part of an answer received before it broke off, from its first line on: for callers that need only the
    /// status. Nil without that line.
    public let begun: OutboundReply?

    init(kind: Kind, reason: String, begun: OutboundReply? = nil) {
        self.kind = kind
        self.reason = reason
        self.begun = begun
    }

    public var description: String { "\(kind.rawValue): \(reason)" }
}

/// The limits of one use of the network.
public struct OutboundLimits: Sendable {
    public var milliseconds = 10_000
    public var connectMilliseconds = 5_000
    /// Of an answer's body.
    public var bytes = 4096

    public init() {}
}
