/// A path with placeholders: `/patients/:patient/appointments`. A placeholder `:code(word)` matches anything but an
/// id: `/studies/:code(word)` and `/studies/:study` are two routes. One such as `:sound(id)` matches only an id, so
/// that no path fits both `/sounds/:sound(id)/audio` and `/sounds/files/:hash`.
public struct Pattern: Sendable, Hashable, CustomStringConvertible {
    enum Part: Sendable, Hashable {
        case fixed(String)
        case word(String)
        case id(String)
        case place(String)

        /// The smaller, the more specific.
        var rank: Int {
            switch self {
            case .fixed: 0
            case .word, .id: 1
            case .place: 2
            }
        }
    }

    public let description: String
    let parts: [Part]

    public init(_ text: String) {
        description = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.hasSuffix(Self.idMark) ? part.dropLast(Self.idMark.count) : part
        }.joined(separator: "/")
        parts = text.split(separator: "/").map { part in
            guard part.hasPrefix(":") else { return .fixed(String(part)) }
            let name = part.dropFirst()
            if name.hasSuffix(Self.idMark) { return .id(String(name.dropLast(Self.idMark.count))) }
            return name.hasSuffix(Self.wordMark)
                ? .word(String(name.dropLast(Self.wordMark.count))) : .place(String(name))
        }
    }

    private static let wordMark = "(word)"
    private static let idMark = "(id)"

    /// Whether a segment is written like a UUID, in either case.
    static func isID(_ segment: String) -> Bool {
        let groups = segment.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    /// The values of the placeholders; nil for a path that does not match.
    public func match(_ path: [String]) -> [String: String]? {
        guard path.count == parts.count else { return nil }
        var found: [String: String] = [:]
        for (part, segment) in zip(parts, path) {
            switch part {
            case .fixed(let text): if text != segment { return nil }
            case .word(let name):
                if Self.isID(segment) { return nil }
                found[name] = segment
            case .id(let name):
                if !Self.isID(segment) { return nil }
                found[name] = segment
            case .place(let name): found[name] = segment
            }
        }
        return found
    }

    /// The fixed part that follows a placeholder; nil when it is the last, or another placeholder follows.
    public func part(after place: String) -> String? {
        guard let index = parts.firstIndex(of: .place(place)), index + 1 < parts.count,
            case .fixed(let text) = parts[index + 1]
        else { return nil }
        return text
    }

    /// Whether some path fits both and neither is more specific.
    public func isAmbiguous(with other: Pattern) -> Bool {
        guard parts.count == other.parts.count else { return false }
        var mine = false
        var theirs = false
        for (left, right) in zip(parts, other.parts) {
            switch (left, right) {
            case (.fixed(let one), .fixed(let two)): if one != two { return false }
            case (.fixed(let text), .id), (.id, .fixed(let text)): if !Self.isID(text) { return false }
            case (.word, .id), (.id, .word): return false
            default: break
            }
            if left.rank < right.rank { mine = true }
            if left.rank > right.rank { theirs = true }
        }
        return mine == theirs
    }
}
