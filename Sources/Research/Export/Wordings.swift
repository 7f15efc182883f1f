import Wording

/// The words of a question or of one of its values over the versions of its questionnaire, the newest first.
struct Wordings {
    /// The most bytes of a value's label that SPSS takes, below 120, so that its line stays short with every quote doubled.
    static let valueBytes = 110

    private var list: [(version: Int, words: String)]
    /// The newest version that has any.
    var newest: Int { list[0].version }

    init(_ words: String, _ version: Int) { list = [(version, words)] }

    /// Adds those of an older version where they are others.
    mutating func add(_ older: Wordings) {
        for entry in older.list {
            let bytes = Array(entry.words.inOneLine.utf8)
            if !list.contains(where: { Array($0.words.inOneLine.utf8) == bytes }) { list.append(entry) }
        }
    }

    /// The newest words, and in brackets with their version those that differ: "rarely (v1: never)". Where not all of it has room,
    /// each is shortened and says so.
    /// - Parameter namesNewest: for what the questionnaire in force does not have.
    func text(bytes limit: Int, namesNewest: Bool = false) -> String {
        if list.count == 1, !namesNewest { return list[0].words }
        let whole = joined(list.map(\.words), namesNewest)
        if whole.utf8.count <= limit { return whole }
        let frame = joined(list.map { _ in "" }, namesNewest).utf8.count
        let share = max(0, (limit - frame) / list.count - Self.cut.utf8.count)
        return joined(
            list.map { $0.words.utf8.count <= share ? $0.words : $0.words.prefix(bytes: share) + Self.cut },
            namesNewest)
    }

    private static let cut = "…"

    private func joined(_ words: [String], _ namesNewest: Bool) -> String {
        let named = zip(list, words).map { "v\($0.version): \($1)" }
        if namesNewest { return named.joined(separator: "; ") }
        return "\(words[0]) (\(named.dropFirst().joined(separator: "; ")))"
    }
}
