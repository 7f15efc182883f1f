import Foundation
import Locks
import PortalClient

/// Hands requests to the portals in turn, as a balancer does: one that cannot be reached is passed over, and nothing is sent twice that
/// may have arrived.
final class Balancer: Transport {
    private let inner: any Transport
    private let addresses: @Sendable () -> [String]
    private let turn = Lock(0)

    /// - Parameter addresses: of the portals, as `http://127.0.0.1:8080`.
    init(_ inner: any Transport, _ addresses: @escaping @Sendable () -> [String]) {
        self.inner = inner
        self.addresses = addresses
    }

    func send(_ ask: Ask) async throws -> ServerReply {
        let all = addresses()
        let first = turn.withLock { turn in
            turn += 1
            return turn
        }
        for index in 0..<all.count {
            var ask = ask
            ask.url = try Self.moved(ask.url, to: all[(first + index) % all.count])
            do {
                return try await inner.send(ask)
            } catch let error as URLError where error.code == .cannotConnectToHost && index + 1 < all.count {
                continue
            }
        }
        throw URLError(.cannotConnectToHost)
    }

    private static func moved(_ url: URL, to address: String) throws -> URL {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.port = URLComponents(string: address)?.port
        guard let moved = parts?.url else { throw URLError(.badURL) }
        return moved
    }
}
