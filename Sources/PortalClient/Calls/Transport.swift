public import Foundation
import Locks

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request to the portal.
public struct Ask: Sendable {
    public var method: String
    public var url: URL
    public var headers: [String: String]
    public var body: Data?

    public init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The answer. Names of header fields are in lower case.
public struct ServerReply: Sendable {
    public var status: Int
    public var headers: [String: String]
    public var body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.body = body
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Sends requests. Apps use `Network`; tests and simulations insert their own.
public protocol Transport: Sendable {
    /// - Throws: without an answer; whether the request arrived is then unknown.
    func send(_ ask: Ask) async throws -> ServerReply
}

/// Over the network, with Foundation: no cookies, no cache of its own, no redirects.
public final class Network: Transport {
    private final class NoRedirects: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { completionHandler(nil) }
    }

    private let session: URLSession

    /// - Parameters:
    ///   - timeout: seconds without any data from the server before a request is given up.
    ///   - connections: the most to one server at once.
    public init(timeout: Double = 30, connections: Int = 4) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = timeout
        configuration.httpMaximumConnectionsPerHost = connections
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(_ ask: Ask) async throws -> ServerReply {
        var request = URLRequest(url: ask.url)
        request.httpMethod = ask.method
        for field in ask.headers { request.setValue(field.value, forHTTPHeaderField: field.key) }
        request.httpBody = ask.body
        let (body, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        return ServerReply(status: response.statusCode, headers: headers, body: body)
    }
}

/// Counts the requests of another transport.
final class Traffic: Transport {
    private let inner: any Transport
    private let counted = Lock((requests: 0, unchanged: 0))

    init(_ inner: any Transport) { self.inner = inner }

    /// All requests, and those answered with 304.
    var counts: (requests: Int, unchanged: Int) { counted.withLock { $0 } }

    func send(_ ask: Ask) async throws -> ServerReply {
        counted.withLock { $0.requests += 1 }
        let reply = try await inner.send(ask)
        if reply.status == 304 { counted.withLock { $0.unchanged += 1 } }
        return reply
    }
}
