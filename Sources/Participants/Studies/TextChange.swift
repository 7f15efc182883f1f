/// Two versions of a text, each in pieces that tell whether the other one has them, too, word by word.
struct TextChange: Sendable {
    struct Piece: Encodable, Sendable, Equatable {
        var text: String
        /// Whether the other text lacks it.
        let isMarked: Bool
    }

    let before: [Piece]
    let after: [Piece]

    /// Comparing takes quadratic time: longer texts are marked from the first to the last difference.
    private static let most = 2000

    init(from before: String, to after: String) {
        let old = Self.words(before)
        let new = Self.words(after)
        let words = { (text: [Substring]) in text.map { $0.filter { !$0.isWhitespace } } }
        let oldWords = words(old)
        let newWords = words(new)
        let start = zip(oldWords, newWords).prefix { $0 == $1 }.count
        let rest = zip(oldWords[start...].reversed(), newWords[start...].reversed()).prefix { $0 == $1 }.count
        var gone = Set(start..<(old.count - rest))
        var come = Set(start..<(new.count - rest))
        if gone.count + come.count <= Self.most {
            let change = newWords[start..<(new.count - rest)]
                .difference(from: oldWords[start..<(old.count - rest)])
            gone = Set(change.removals.map { $0.place + start })
            come = Set(change.insertions.map { $0.place + start })
        }
        self.before = Self.pieces(old, gone)
        self.after = Self.pieces(new, come)
    }

    /// The words of a text, each with the space behind it.
    private static func words(_ text: String) -> [Substring] {
        var words: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isWhitespace }
            let whole = rest[..<rest[word.endIndex...].prefix(while: \.isWhitespace).endIndex]
            words.append(whole)
            rest = rest[whole.endIndex...]
        }
        return words
    }

    private static func pieces(_ words: [Substring], _ marked: Set<Int>) -> [Piece] {
        words.enumerated().reduce(into: []) { pieces, word in
            let isMarked = marked.contains(word.offset)
            if pieces.last?.isMarked == isMarked {
                pieces[pieces.count - 1].text += word.element
            } else {
                pieces.append(Piece(text: String(word.element), isMarked: isMarked))
            }
        }
    }
}

extension CollectionDifference.Change {
    fileprivate var place: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
