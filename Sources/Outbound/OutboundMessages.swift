/// What is asked of another server.
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

/// What it answered.
public struct OutboundReply: Sendable, Equatable {
    public let status: Int
    /// By their names in small letters; of several of one name the last.
    public let headers: [String: String]
    public let body: [UInt8]
}

/// Why there is no answer. Names neither host nor address, so it may be shown and logged.
public struct OutboundError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        case refused, unknownHost, unreachable, tls, timeout, tooLong, broken
    }

    public let kind: Kind
    /// What libcurl says of it.
    public let reason: String
    /// As much of an answer as had come before it broke off, from its first line on: for whoever asks only whether it was a yes,
    /// the rest does not matter. Nil when not even that line was there.
    public let begun: OutboundReply?

    init(kind: Kind, reason: String, begun: OutboundReply? = nil) {
        self.kind = kind
        self.reason = reason
        self.begun = begun
    }

    public var description: String { "\(kind.rawValue): \(reason)" }
}

/// How much one use of the network may take.
public struct OutboundLimits: Sendable {
    public var milliseconds = 10_000
    public var connectMilliseconds = 5_000
    /// Of the body of an answer.
    public var bytes = 4096

    public init() {}
}
