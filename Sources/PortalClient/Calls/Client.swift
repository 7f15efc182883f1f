public import Foundation
import JSON
import Locks
import Wire

/// Keeps the token of a signed-in device. Apps put it where their system keeps secrets.
public protocol TokenKeeper: Sendable {
    var token: String? { get }
    /// - Parameter token: nil when the device is not signed in any more.
    func keep(_ token: String?)
}

/// For as long as the program runs.
public final class TokenInMemory: TokenKeeper {
    private let held: Lock<String?>

    public init(_ token: String? = nil) { held = Lock(token) }

    public var token: String? { held.withLock { $0 } }
    public func keep(_ token: String?) { held.withLock { $0 = token } }
}

/// The language that the portal is asked to answer in.
public struct ClientLanguage: RawRepresentable, Encodable, Hashable, Sendable {
    /// The code of the language: `de`, `en`, `it`.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let german = ClientLanguage(rawValue: "de")
    public static let english = ClientLanguage(rawValue: "en")
}

/// A value with the tag that a later change must name.
public struct Tagged<Value: Sendable>: Sendable {
    public let value: Value
    public let etag: String?
}

/// The answer to a conditional request.
public enum Fetched<Value: Sendable>: Sendable {
    case unchanged
    case fresh(Tagged<Value>)
}

/// Calls of the patients' part of the API, typed. Every call throws `ClientError` and nothing else.
public struct Client: Sendable {
    private let base: URL
    private let transport: any Transport
    private let tokens: any TokenKeeper
    public var language: ClientLanguage

    /// - Parameter address: of the portal, as `https://portal.example.org`.
    public init(
        _ address: URL, transport: any Transport = Network(), tokens: any TokenKeeper = TokenInMemory(),
        language: ClientLanguage = .german
    ) {
        base = address
        self.transport = transport
        self.tokens = tokens
        self.language = language
    }

    public var isSignedIn: Bool { tokens.token != nil }

    func keep(token: String?) { tokens.keep(token) }

    /// The same client, its requests counted.
    func counted() -> (client: Client, traffic: Traffic) {
        let traffic = Traffic(transport)
        return (Client(base, transport: traffic, tokens: tokens, language: language), traffic)
    }

    // MARK: Sending

    /// - Parameters:
    ///   - path: behind `/api/v1`, with its query; or complete, as lists name their next part.
    ///   - token: instead of the device's; for the calls of the registration.
    @discardableResult
    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil,
        token: String? = nil
    ) async throws(ClientError) -> ServerReply {
        let whole = path.hasPrefix("/api/") ? path : "/api/v1" + path
        guard let url = URL(string: whole, relativeTo: base)?.absoluteURL else {
            throw .unreadable("no address: \(whole)")
        }
        var fields = headers
        fields["Accept-Language"] = language.rawValue
        if let token = token ?? tokens.token { fields["Authorization"] = "Bearer \(token)" }
        if body != nil { fields["Content-Type"] = "application/json" }
        let reply: ServerReply
        do {
            reply = try await transport.send(Ask(method: method, url: url, headers: fields, body: body))
        } catch {
            throw .unreachable(String(describing: error))
        }
        guard (200...299).contains(reply.status) || reply.status == 304 else {
            throw .refused(Refusal(reply))
        }
        return reply
    }

    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], _ body: some Encodable,
        token: String? = nil
    ) async throws(ClientError) -> ServerReply {
        try await send(method, path, headers: headers, body: try Self.bytes(of: body), token: token)
    }

    /// A body as sent. The same value gives the same bytes: keys are sorted.
    static func bytes(of body: some Encodable) throws(ClientError) -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .custom { path in
            JSONKey(path.last.map { SnakeCase.name(of: $0) } ?? "")
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(body) } catch { throw .unreadable(String(describing: error)) }
    }

    // MARK: Reading

    static func read<Value: Decodable>(_ type: Value.Type, _ reply: ServerReply) throws(ClientError) -> Value
    {
        do {
            return try JSONReader.value(from: reply.body)
        } catch {
            throw .unreadable(String(describing: error))
        }
    }

    func one<Value: Resource & Decodable>(_ reply: ServerReply) throws(ClientError) -> Value {
        try Self.read(One<Value>.self, reply).data.attributes
    }

    func get<Value: Resource & Decodable>(_ path: String) async throws(ClientError) -> Value {
        try one(await send("GET", path))
    }

    func tagged<Value: Resource & Decodable>(_ reply: ServerReply) throws(ClientError) -> Tagged<Value> {
        Tagged(value: try one(reply), etag: reply.headers["etag"])
    }

    /// One part of a list.
    /// - Parameter etag: of the answer before; the same gives `.unchanged`.
    func part<Value: Resource & Decodable>(
        _ path: String, unless etag: String? = nil
    ) async throws(ClientError) -> Fetched<Many<Value>> {
        let reply = try await send("GET", path, headers: etag.map { ["If-None-Match": $0] } ?? [:])
        if reply.status == 304 { return .unchanged }
        return .fresh(Tagged(value: try Self.read(Many<Value>.self, reply), etag: reply.headers["etag"]))
    }

    /// A whole list, part by part.
    func list<Value: Resource & Decodable>(_ path: String) async throws(ClientError) -> [Item<Value>] {
        var items: [Item<Value>] = []
        var next: String? = path
        while let path = next {
            let reply = try await send("GET", path)
            let part = try Self.read(Many<Value>.self, reply)
            items += part.data
            next = part.meta.next
        }
        return items
    }

    static func query(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
