import Foundation

/// A target in absolute form, `http://portal.example.org/livez`: clients with a proxy set send it, and a server has to take it
/// (RFC 9112, 3.2.2).
struct AbsoluteTarget {
    /// Host and port in lower case, without the port that goes without saying.
    let authority: String
    /// The rest as a plain target: path and query.
    let origin: String

    /// Nil for any other form, and for an authority that names a user.
    init?(_ raw: String) {
        let text = raw.utf8
        // Nearly all targets are plain.
        guard text.first != UInt8(ascii: "/"),
            let port = Self.ports.first(where: { Self.lowercased(text.prefix($0.key.utf8.count)) == $0.key })
        else { return nil }
        let rest = text.dropFirst(port.key.utf8.count)
        let end = rest.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let named = Self.lowercased(rest[..<(end ?? rest.endIndex)])
        guard !named.isEmpty, !named.utf8.contains(UInt8(ascii: "@")) else { return nil }
        authority = named.hasSuffix(port.value) ? String(named.dropLast(port.value.utf8.count)) : named
        let path = String(decoding: rest[(end ?? rest.endIndex)...], as: UTF8.self)
        origin = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    }

    /// The address and port at which a client has reached this server; nil when they are unknown.
    init?(reaching socket: Int32, speaksTLS: Bool) {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(socket, address, &length) == 0
                    && getnameinfo(
                        address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
                        NI_NUMERICHOST | NI_NUMERICSERV) == 0
            }
        }
        guard isKnown else { return nil }
        let name = Self.text(host)
        let literal = name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]" : name
        self.init("\(speaksTLS ? "https" : "http")://\(literal):\(Self.text(port))")
    }

    /// The schemes, each with the port that it has anyway.
    private static let ports = ["http://": ":80", "https://": ":443"]

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
