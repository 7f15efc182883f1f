import CCurl

/// A host inside the operator's own network that may be contacted, as `relay.clinic.lan` or `10.1.2.3:8443`.
public struct ListedHost: Sendable, Hashable {
    let host: String
    /// Nil for all of them.
    let port: Int?

    /// Nil for text that is no host: with a scheme, a path, a user, a port out of range.
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

/// Why an address is refused.
public enum OutboundRefusal: Error, Sendable, Equatable {
    /// Unusable: unreadable, not https, or with a user's name in it.
    case notHTTPS
    /// In a network that is not the open internet.
    case privateAddress
    /// Not one of the configured hosts.
    case otherHost
}

/// The servers that one use of the network may contact.
public enum OutboundPolicy: Sendable {
    /// Addresses named by others: https to the open internet, and to listed hosts of the operator's network. Without
    /// TLS only to a listed host on this machine.
    case publicAddresses(listed: Set<ListedHost>)
    /// https to these hosts alone.
    case fixedHosts(Set<String>)

    /// The refusal that is known without asking the network.
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
                // For a name it is known only after a look-up.
                return literal.map(AddressRule.isLoopback) == false ? .notHTTPS : nil
            }
            if address.scheme != "https" { return .notHTTPS }
            if address.host == "localhost" || address.host.hasSuffix(".localhost") { return .privateAddress }
            return literal.map(AddressRule.isPublic) == false ? .privateAddress : nil
        }
    }

    /// The same, with the present address of its name; a name without one is looked up again each time.
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

    /// Whether a connection to this very address may be opened.
    func admits(_ bytes: [UInt8], for address: OutboundAddress) -> Bool {
        if isListed(address) { return address.scheme == "https" || AddressRule.isLoopback(bytes) }
        return AddressRule.isPublic(bytes)
    }
}

/// The parts of an address, as libcurl reads them: so the checked address is the contacted one.
struct OutboundAddress: Sendable {
    let scheme: String
    /// In small letters; an IPv4 address as four numbers, in any notation.
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
        // libcurl does not convert 127.1 with a trailing dot or a percent sign; the resolver does.
        self.host = AddressRule.dotted(name) ?? name
    }
}
