/// An address, or all that begin like it. One of IPv4 that is written within IPv6 (`::ffff:192.0.2.7`) is one of IPv4.
public struct AddressRange: Sendable, Equatable {
    private let begin: [UInt8]
    private let bits: Int

    /// - Parameter text: an address, or one with the number of bits that count: `172.18.0.0/16`. Nil for anything else, and for every
    ///   address of a kind at once.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), let written = AddressRule.bytes(of: parts[0]) else { return nil }
        let begin = Self.unmapped(written)
        var bits = written.count * 8
        if parts.count == 2 {
            guard let number = Int(parts[1]), (1...bits).contains(number) else { return nil }
            bits = number
        }
        bits -= (written.count - begin.count) * 8
        guard bits > 0 else { return nil }
        self.begin = begin
        self.bits = bits
    }

    /// - Parameter address: as `bytes(of:)` gives it.
    public func contains(_ address: [UInt8]) -> Bool {
        address.count == begin.count && AddressRule.begins(address, begin, bits)
    }

    /// The 4 bytes of an address of IPv4, or the 16 of one of IPv6; nil for what is none.
    public static func bytes(of text: String) -> [UInt8]? { AddressRule.bytes(of: text).map(unmapped) }

    private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
        let mark: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        return bytes.count == 16 && bytes.starts(with: mark) ? Array(bytes[12...]) : bytes
    }
}
