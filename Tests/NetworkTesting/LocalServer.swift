import Foundation
import Synchronization

/// A server on this machine that answers every connection in one way, and counts them.
public final class LocalServer: Sendable {
    /// On the loopback address.
    public let port: Int
    private let listener: Int32
    private let accepted = Mutex(0)

    /// The number of connections so far.
    public var connections: Int { accepted.withLock { $0 } }

    /// - Parameter answer: handles each connection, which is closed afterwards.
    public init(_ answer: @escaping @Sendable (Int32) -> Void) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
        listener = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                accepted.withLock { $0 += 1 }
                Thread.detachNewThread {
                    answer(connection)
                    close(connection)
                }
            }
        }
    }

    public func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Reads requests of a connection and gives each the same answer, until the other side goes.
    public static func answering(_ text: String) -> @Sendable (Int32) -> Void {
        answering { _ in text }
    }

    /// The same, with an answer that may depend on the request.
    public static func answering(
        _ answer: @escaping @Sendable (_ request: [UInt8]) -> String
    ) -> @Sendable (Int32) -> Void {
        serving { request, connection in
            write(answer(request), to: connection)
            return true
        }
    }

    /// Reads requests of a connection and hands them to a closure, until that ends it or the other side goes.
    public static func serving(
        _ serve: @escaping @Sendable (_ request: [UInt8], _ connection: Int32) -> Bool
    ) -> @Sendable (Int32) -> Void {
        { connection in
            var seen: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                seen += buffer[..<count]
                // A request ends with an empty line and the announced number of bytes.
                while let end = end(of: seen) {
                    let request = Array(seen[..<end])
                    seen.removeFirst(end)
                    guard serve(request, connection) else { return }
                }
            }
        }
    }

    /// - Returns: false when the other side has gone.
    @discardableResult
    public static func write(_ text: String, to connection: Int32) -> Bool {
        text.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) } > 0
    }

    /// Closed, it tells the other side that it has been cut.
    public static func reset(_ connection: Int32) {
        var rest = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &rest, socklen_t(MemoryLayout<linger>.size))
    }

    private static func end(of bytes: [UInt8]) -> Int? {
        // Byte by byte: what follows the head may be no text at all.
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let text = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).lowercased()
        let length = text.firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
        let whole = head.upperBound + length
        return whole <= bytes.count ? whole : nil
    }
}
