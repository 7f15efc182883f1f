/// One request, complete with its body.
public struct Request: Sendable {
    public let method: Method
    public let target: Target
    public let headers: Headers
    /// Empty where the body was taken as an upload.
    public let body: [UInt8]
    public let upload: Upload?
    /// The client's address as text; empty when unknown.
    public let peer: String
    /// Whether the client still waits for the answer. Only called while the request is being answered.
    public let isAwaited: @Sendable () -> Bool

    public init(
        method: Method, target: Target, headers: Headers = [:], body: [UInt8] = [], upload: Upload? = nil,
        peer: String = "", isAwaited: @escaping @Sendable () -> Bool = { true }
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.upload = upload
        self.peer = peer
        self.isAwaited = isAwaited
    }

    /// Ends work whose client has gone. A change that was sent is made all the same.
    /// - Throws: `ClientGone`.
    public func proveAwaited() throws {
        if method.isSafe && !isAwaited() { throw ClientGone() }
    }

    public var path: [String] { target.path }
    public var query: Form { target.query }

    /// The media type of the body without its parameters, in lower case.
    public var mediaType: String? {
        headers["Content-Type"]?.split(separator: ";").first.map {
            $0.trimmingBlanks().lowercased()
        }
    }

    /// The value of a cookie; the first of several with the same name.
    public func cookie(_ name: String) -> String? {
        guard let header = headers["Cookie"] else { return nil }
        for pair in header.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, parts[0].trimmingBlanks() == name { return parts[1].trimmingBlanks() }
        }
        return nil
    }

    /// The part of a file that is asked for. Only `GET` asks for one (RFC 9110, 14.2).
    var range: String? { method == .get ? headers["Range"] : nil }

    /// Whether one of the entity tags in `If-None-Match` is the given one (weak comparison, RFC 9110, 13.1.2).
    public func hasTag(_ tag: String) -> Bool {
        headers["If-None-Match"].map { EntityTags($0).contains(tag) } ?? false
    }
}

/// The client has closed its connection: its answer is not completed.
public struct ClientGone: Error {
    /// For the log; no client receives it.
    public static let status = 499

    public init() {}
}

/// The head of a request that is answered before it is complete.
public struct RequestHead: Sendable {
    /// Nil for a method this server does not take.
    public let method: Method?
    /// The target as received, not to be trusted.
    public let rawTarget: String
    /// Nil for a target that is no plain absolute path.
    public let target: Target?
    public let headers: Headers

    public init(method: Method?, rawTarget: String, target: Target?, headers: Headers) {
        self.method = method
        self.rawTarget = rawTarget
        self.target = target
        self.headers = headers
    }
}

extension StringProtocol {
    /// Without blanks and tabs at both ends.
    func trimmingBlanks() -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var rest = self[...]
        while let first = rest.first, isBlank(first) { rest = rest.dropFirst() }
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
