import Foundation

/// The network addresses that may be contacted. Every address that is not clearly one of the open internet is refused
/// (RFC 6890 and the IANA registries of special addresses).
public enum AddressRule {
    /// - Parameter bytes: 4 of IPv4 or 16 of IPv6.
    public static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: isPublicV4(bytes)
        case 16: isPublicV6(bytes)
        default: false
        }
    }

    public static func isLoopback(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: bytes[0] == 127
        case 16: bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        default: false
        }
    }

    /// First bytes with the number of bits that count.
    private static let closedV4: [(net: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
        ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 31, 196], 24), ([192, 52, 193], 24),
        ([192, 88, 99], 24), ([192, 168], 16), ([192, 175, 48], 24), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 3),
    ]

    private static func isPublicV4(_ bytes: [UInt8]) -> Bool {
        !closedV4.contains { begins(bytes, $0.net, $0.bits) }
    }

    /// Of IPv6 only the range assigned to the open internet is allowed, without these.
    private static let closedV6: [(net: [UInt8], bits: Int)] = [
        // Teredo, benchmarks, ORCHID, and other protocol assignments.
        ([0x20, 0x01, 0x00], 23),
        // Documentation.
        ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x3f, 0xff, 0x00], 20),
        // 6to4 embeds an IPv4 address.
        ([0x20, 0x02], 16),
    ]

    private static func isPublicV6(_ bytes: [UInt8]) -> Bool {
        // An embedded IPv4 address is judged as such.
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
            return isPublicV4(Array(bytes[12...]))
        }
        if begins(bytes, [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96) {
            return isPublicV4(Array(bytes[12...]))
        }
        return begins(bytes, [0x20], 3) && !closedV6.contains { begins(bytes, $0.net, $0.bits) }
    }

    static func begins(_ bytes: [UInt8], _ net: [UInt8], _ bits: Int) -> Bool {
        let whole = bits / 8
        let rest = bits % 8
        guard bytes.prefix(whole).elementsEqual(net.prefix(whole)) else { return false }
        if rest == 0 { return true }
        let mask = UInt8(truncatingIfNeeded: 0xff00 >> rest)
        return bytes[whole] & mask == net[whole] & mask
    }

    /// The bytes of a system address; empty for any other family.
    static func bytes(of address: UnsafeRawPointer, family: Int32) -> [UInt8] {
        switch family {
        case AF_INET:
            withUnsafeBytes(of: address.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6:
            withUnsafeBytes(of: address.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default: []
        }
    }

    /// The bytes of a written address; nil for a name.
    static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        // A zone after it names a network of this machine.
        let plain = text.split(separator: "%").first.map(String.init) ?? ""
        if inet_pton(AF_INET6, plain, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return nil
    }

    /// The four numbers of an IPv4 address in any notation of the resolver, as 127.1 or 0x7f000001; nil for a name.
    static func dotted(_ text: String) -> String? {
        var four = in_addr()
        guard inet_aton(text, &four) != 0 else { return nil }
        return withUnsafeBytes(of: four) { $0.map(String.init).joined(separator: ".") }
    }

    /// Every present address of a name; empty without any. Asks the network.
    static func resolve(_ host: String) -> [[UInt8]] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { entry in
            guard let entry, let address = entry.pointee.ai_addr else { return nil }
            return bytes(of: UnsafeRawPointer(address), family: entry.pointee.ai_family)
        }
    }
}
