/// Values by the patterns of paths, found without looking at every pattern. What fixed parts say comes before words, and
/// words before places: the first value that is found belongs to the most exact pattern.
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

    /// The values of the most exact pattern that a path has, in the order they came; none when there is no such pattern.
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
