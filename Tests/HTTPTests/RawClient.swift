import Foundation

/// A TCP connection that sends bytes as they are, also wrong ones.
final class RawClient {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Says nothing more, and still reads.
    func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until the server closes or nothing has come for `seconds`: long, because machines are busy.
    /// - Parameter end: where to stop on a connection that stays.
    func readAll(until end: String? = nil, seconds: Int = 20) -> (text: String, isClosed: Bool) {
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return (String(decoding: received, as: UTF8.self), count == 0) }
            received += buffer[..<count]
            if let end, String(decoding: received, as: UTF8.self).contains(end) {
                return (String(decoding: received, as: UTF8.self), false)
            }
        }
    }

    /// The status lines of all answers in a text.
    static func statuses(in text: String) -> [Int] {
        text.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
    }

    /// Lets this process hold as many files and connections.
    static func allow(descriptors: Int) throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < rlim_t(descriptors) else { return }
        limit.rlim_cur = min(rlim_t(descriptors), limit.rlim_max)
        guard limit.rlim_cur >= 6_000,
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        else { throw CocoaError(.featureUnsupported) }
    }
}
