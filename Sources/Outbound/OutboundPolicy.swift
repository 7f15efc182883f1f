import CCurl
import Foundation

/// A host inside the operator's own network that may be reached, as `relay.clinic.lan` or `10.1.2.3:8443`.
public struct ListedHost: Sendable, Hashable {
    let host: String
    /// Nil for all of them.
    let port: Int?

    /// Nil for what is no host: with a scheme, a path, a user, a port out of range.
    public init?(_ text: String) {
        guard let address = OutboundAddress("https://\(text)/"), !text.contains("/"), !text.contains("@"),
            !text.contains("?"), !text.contains("#")
        else { return nil }
        host = address.host
        port = address.namesPort ? address.port : nil
    }

    func covers(_ address: OutboundAddress) -> Bool {
        host == address.host && (port == nil || port == address.port)
    }
}

/// Why an address is not gone to.
public enum OutboundRefusal: Error, Sendable, Equatable {
    /// No address that could be gone to: unreadable, not https, with a user's name in it.
    case notHTTPS
    /// It leads into a network that is not the open internet.
    case privateAddress
    /// Another host than the ones that were set.
    case otherHost
}

/// What one use of the network may reach.
public enum OutboundPolicy: Sendable {
    /// Addresses that others name: https to the open internet, and to hosts of the operator's network that are listed.
    /// Without TLS only to a listed host on this machine.
    case publicAddresses(listed: Set<ListedHost>)
    /// https to these hosts alone.
    case fixedHosts(Set<String>)

    /// What can be said of an address without asking the network.
    public func refusal(of url: String) -> OutboundRefusal? {
        guard let address = OutboundAddress(url) else { return .notHTTPS }
        switch self {
        case .fixedHosts(let hosts):
            if address.scheme != "https" { return .notHTTPS }
            return hosts.contains { $0.lowercased() == address.host } ? nil : .otherHost
        case .publicAddresses(let listed):
            let literal = AddressRule.bytes(of: address.host)
            if listed.contains(where: { $0.covers(address) }) {
                if address.scheme == "https" { return nil }
                // Of a name it can be said only once it has been looked up.
                return literal.map(AddressRule.isLoopback) == false ? .notHTTPS : nil
            }
            if address.scheme != "https" { return .notHTTPS }
            if address.host == "localhost" || address.host.hasSuffix(".localhost") { return .privateAddress }
            return literal.map(AddressRule.isPublic) == false ? .privateAddress : nil
        }
    }

    /// The same, and where its name leads now. One that leads nowhere is not refused: it is looked up again each time.
    public func refusalNow(of url: String) -> OutboundRefusal? {
        if let refusal = refusal(of: url) { return refusal }
        guard let address = OutboundAddress(url), case .publicAddresses = self else { return nil }
        guard isListed(address) else {
            return AddressRule.resolve(address.host).allSatisfy(AddressRule.isPublic) ? nil : .privateAddress
        }
        if address.scheme == "https" { return nil }
        return AddressRule.resolve(address.host).allSatisfy(AddressRule.isLoopback) ? nil : .notHTTPS
    }

    private func isListed(_ address: OutboundAddress) -> Bool {
        guard case .publicAddresses(let listed) = self else { return false }
        return listed.contains { $0.covers(address) }
    }

    /// Whether a connection may be opened, asked of the very address that it goes to.
    func admits(_ bytes: [UInt8], for address: OutboundAddress) -> Bool {
        if isListed(address) { return address.scheme == "https" || AddressRule.isLoopback(bytes) }
        return AddressRule.isPublic(bytes)
    }
}

/// The parts of an address, as libcurl reads them: what is judged is what is gone to.
struct OutboundAddress: Sendable {
    let scheme: String
    /// In small letters; an address of IPv4 in four numbers, however it was written.
    let host: String
    let port: Int
    let namesPort: Bool

    init?(_ text: String) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), let url = curl_url()
        else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        let part = { (part: CURLUPart, flags: UInt32) -> String? in
            var found: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &found, flags) == CURLUE_OK, let found else { return nil }
            defer { curl_free(found) }
            return String(cString: found)
        }
        guard let scheme = part(CURLUPART_SCHEME, 0)?.lowercased(), ["https", "http"].contains(scheme),
            part(CURLUPART_USER, 0) == nil, part(CURLUPART_PASSWORD, 0) == nil,
            let host = part(CURLUPART_HOST, 0)?.lowercased(), !host.isEmpty,
            let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }), port > 0
        else { return nil }
        self.scheme = scheme
        self.port = port
        namesPort = part(CURLUPART_PORT, 0) != nil
        let plain = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let name = plain.hasSuffix(".") ? String(plain.dropLast()) : plain
        guard !name.isEmpty, !name.hasSuffix(".") else { return nil }
        // libcurl leaves 127.1 as it is when a dot or a percent sign stands in it; the resolver does not.
        self.host = AddressRule.dotted(name) ?? name
    }
}
