/// The entity tags that a request names. Proxies that compress an answer leave a mark on the tag that this program gave it: it
/// becomes a weak one (nginx), or gets `-gzip` or `-br` behind it (Apache), and comes back so. No tag is taken for another by that:
/// compressed or not, the state is the same.
public struct EntityTags: Sendable {
    /// Whether any state is meant: `*`.
    public let isAny: Bool
    /// As they stand, without the mark of a weak one, with their quotation marks.
    public let list: [String]

    private static let suffixes = ["-gzip\"", "-br\""]

    /// - Parameter header: the value of `If-Match` or `If-None-Match`.
    public init(_ header: String) {
        let names = header.split(separator: ",").map { $0.trimmingBlanks() }
        isAny = names.contains("*")
        list = names.compactMap { name in
            let tag = name.hasPrefix("W/") ? name.dropFirst(2) : name[...]
            let isQuoted = tag.utf8.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            return isQuoted ? String(tag) : nil
        }
    }

    /// Whether the given tag is meant, as it stands or with what a proxy puts behind it.
    public func contains(_ tag: String) -> Bool {
        isAny || list.contains(tag)
            || list.contains { named in
                Self.suffixes.contains { named.hasSuffix($0) && named.dropLast($0.utf8.count) + "\"" == tag }
            }
    }
}
