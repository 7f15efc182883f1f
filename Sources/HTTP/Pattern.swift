/// A path with named places: `/patients/:patient/appointments`.
public struct Pattern: Sendable, Hashable, CustomStringConvertible {
    enum Part: Sendable, Hashable {
        case fixed(String)
        case place(String)
    }

    public let description: String
    let parts: [Part]

    public init(_ text: String) {
        description = text
        parts = text.split(separator: "/").map { part in
            part.hasPrefix(":") ? .place(String(part.dropFirst())) : .fixed(String(part))
        }
    }

    /// What stands in the places, nil when the path is another.
    public func match(_ path: [String]) -> [String: String]? {
        guard path.count == parts.count else { return nil }
        var found: [String: String] = [:]
        for (part, segment) in zip(parts, path) {
            switch part {
            case .fixed(let text): if text != segment { return nil }
            case .place(let name): found[name] = segment
            }
        }
        return found
    }

    /// The fixed part that follows a place; nil when it is the last, or another place follows.
    public func part(after place: String) -> String? {
        guard let index = parts.firstIndex(of: .place(place)), index + 1 < parts.count,
            case .fixed(let text) = parts[index + 1]
        else { return nil }
        return text
    }

    /// Whether some path fits both and neither is the more exact one.
    public func isAmbiguous(with other: Pattern) -> Bool {
        guard parts.count == other.parts.count else { return false }
        var mine = false
        var theirs = false
        for (left, right) in zip(parts, other.parts) {
            switch (left, right) {
            case (.fixed(let one), .fixed(let two)): if one != two { return false }
            case (.fixed, .place): mine = true
            case (.place, .fixed): theirs = true
            case (.place, .place): break
            }
        }
        return mine == theirs
    }

    /// Patterns with fixed parts come before those with places: `/patients/new` before `/patients/:patient`.
    public func isMoreExact(than other: Pattern) -> Bool {
        for (left, right) in zip(parts, other.parts) {
            switch (left, right) {
            case (.fixed, .place): return true
            case (.place, .fixed): return false
            default: continue
            }
        }
        return false
    }
}
