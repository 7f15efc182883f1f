import Foundation
import HTTP
import Outbound
import Records

/// The client's address for rate limits: the peer's, or the one that trusted proxies name. Of IPv6 addresses the first
/// half counts: a household can use any number of second halves.
package enum ClientAddress {
    package static func of(_ request: Request, _ settings: Settings) -> String {
        guard let peer = AddressRange.bytes(of: request.peer) else { return request.peer }
        let isTrusted = { (address: [UInt8]) in settings.trustedProxies.contains { $0.contains(address) } }
        var client = peer
        // Each proxy appends the address that it was asked from, to the value or as a field: what stands before the last one that is
        // none of them may be forged.
        var entries = request.headers.fields.filter { $0.name.lowercased() == "x-forwarded-for" }
            .flatMap { $0.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
            .map { Substring($0) }
        while isTrusted(client), let entry = entries.popLast(), let address = address(in: entry) {
            client = address
        }
        return name(of: client)
    }

    /// Without brackets and port; nil for what is no address.
    private static func address(in entry: Substring) -> [UInt8]? {
        let text = entry.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("[") {
            return AddressRange.bytes(of: String(text.dropFirst().prefix { $0 != "]" }))
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return AddressRange.bytes(of: parts.count == 2 ? String(parts[0]) : String(text))
    }

    private static func name(of address: [UInt8]) -> String {
        address.count == 4
            ? address.map { String($0) }.joined(separator: ".")
            : address.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}
