/// The target of a request: decoded path segments and query.
public struct Target: Sendable, Equatable {
    /// The segments between the slashes; empty for `/`.
    public let path: [String]
    public let query: Form

    /// Nil for anything but a plain absolute path: other forms, control bytes, broken percent signs, dotted
    /// segments and slashes hidden behind percent signs. Empty segments stay, and fit no route.
    public init?(_ raw: String) {
        guard raw.utf8.first == UInt8(ascii: "/"), raw.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            !raw.contains("#")
        else { return nil }
        let parts = raw.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var segments: [String] = []
        if parts[0].count > 1 {
            for part in parts[0].dropFirst().split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            {
                guard let segment = percentDecoded(part, plusIsBlank: false), Self.isPlain(segment) else {
                    return nil
                }
                segments.append(segment)
            }
        }
        guard let query = parts.count > 1 ? Form(encoded: parts[1]) : Form() else { return nil }
        path = segments
        self.query = query
    }

    private static func isPlain(_ segment: String) -> Bool {
        segment != "." && segment != ".." && !segment.contains("/")
            && !segment.contains("\\") && segment.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
