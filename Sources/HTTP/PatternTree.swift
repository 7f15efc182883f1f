/// Values by the patterns of paths, found without trying every pattern. Fixed parts come before words, and words
/// before placeholders: the first value found belongs to the most specific pattern.
public struct PatternTree<Value: Sendable>: Sendable {
    private var values: [Value] = []
    private var fixed: [String: PatternTree] = [:]
    /// None or one.
    private var word: [PatternTree] = []
    private var place: [PatternTree] = []

    public init() {}

    public mutating func insert(_ value: Value, at pattern: Pattern) {
        insert(value, at: pattern.parts[...])
    }

    private mutating func insert(_ value: Value, at parts: ArraySlice<Pattern.Part>) {
        guard let part = parts.first else {
            values.append(value)
            return
        }
        let rest = parts.dropFirst()
        switch part {
        case .fixed(let text): fixed[text, default: PatternTree()].insert(value, at: rest)
        case .word: Self.insert(value, at: rest, into: &word)
        case .id, .place: Self.insert(value, at: rest, into: &place)
        }
    }

    private static func insert(
        _ value: Value, at parts: ArraySlice<Pattern.Part>, into branch: inout [PatternTree]
    ) {
        if branch.isEmpty { branch.append(PatternTree()) }
        branch[0].insert(value, at: parts)
    }

    /// The values of the most specific pattern that matches a path, in the order they were added; empty without one.
    public func values(for path: [String]) -> [Value] { values(for: path[...]) }

    private func values(for path: ArraySlice<String>) -> [Value] {
        guard let segment = path.first else { return values }
        let rest = path.dropFirst()
        if let found = fixed[segment]?.values(for: rest), !found.isEmpty { return found }
        if let found = word.first, !Pattern.isID(segment) {
            let values = found.values(for: rest)
            if !values.isEmpty { return values }
        }
        return place.first?.values(for: rest) ?? []
    }
}
