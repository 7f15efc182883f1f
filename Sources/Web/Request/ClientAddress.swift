import Foundation
import HTTP
import Records

/// The client's address for rate limits: the peer's, or the one a trusted proxy names. Of IPv6 addresses the first
/// half counts: a household can use any number of second halves.
package enum ClientAddress {
    package static func of(_ request: Request, _ settings: Settings) -> String {
        guard let proxy = settings.trustedProxy, request.peer == proxy else {
            return network(request.peer) ?? request.peer
        }
        // Proxies append, to the value or as a field: the last entry is the proxy's, those before it may be forged.
        let field = request.headers.fields.last { $0.name.lowercased() == "x-forwarded-for" }
        let last = field?.value.split(separator: ",").last.map { $0.filter { !$0.isWhitespace } }
        return last.flatMap { network($0) } ?? request.peer
    }

    /// Nil when the text is no address.
    private static func network(_ text: String) -> String? {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return text }
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        return withUnsafeBytes(of: &six) { bytes in
            bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
        }
    }
}
