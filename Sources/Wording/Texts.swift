import Templates

/// All sentences for people, in one language. Missing ones are in English.
package struct Texts: Sendable {
    package let language: Language
    /// Behind one reference: texts are passed on with every line of a page.
    private let content: Content

    private final class Content: Sendable {
        let sentences: [String: String]
        /// Sentences with values to fill in, in pieces.
        let fillable: [String: [Piece]]
        let record: Value
        let keys: Set<String>
        let dates: DateNotation
        let decimalMark: String
        let groupMark: String

        init(_ sentences: [String: String], keys: Set<String>, dates: DateNotation) {
            self.sentences = sentences
            fillable = sentences.compactMapValues(Texts.pieces)
            record = Texts.record(sentences)
            self.keys = keys
            self.dates = dates
            decimalMark = sentences["numbers.decimal_mark"] ?? "."
            // For a language that names only one of the two, the other might be the same.
            let mark = sentences["numbers.group_mark"] ?? ""
            groupMark = mark == decimalMark ? "" : mark
        }
    }

    private var sentences: [String: String] { content.sentences }
    /// The sentences for templates, as nested records.
    package var record: Value { content.record }
    /// The keys that the language's own file has a sentence for.
    package var keys: Set<String> { content.keys }
    /// How dates are written.
    package var dates: DateNotation { content.dates }
    /// The mark between the whole part of a number and its fraction.
    package var decimalMark: String { content.decimalMark }

    /// Reads `de.json`, `en.json` or another language's file: sentences by feature and name.
    /// - Parameter variant: its words come before those of the language, from a file of its own: `de-AT.json`.
    /// - Throws: when the file is missing or broken.
    package init(_ language: Language, as variant: LanguageVariant? = nil, folder: String) throws {
        self.init(
            language, try TextFile("\(folder)/\(language.rawValue).json"),
            over: try variant.map { try TextFile("\(folder)/\($0.rawValue).json") },
            beneath: language == .english ? nil : try TextFile("\(folder)/en.json"))
    }

    /// - Parameters:
    ///   - variant: comes before the language's own sentences.
    ///   - english: fills in for missing sentences.
    init(_ language: Language, _ own: TextFile, over variant: TextFile? = nil, beneath english: TextFile?) {
        self.language = language
        var sentences = (english?.sentences ?? [:]).merging(own.sentences) { _, own in own }
        if let variant { sentences.merge(variant.sentences) { _, variant in variant } }
        content = Content(
            sentences, keys: Set(own.sentences.keys),
            dates: DateNotation(sentences, beneath: english?.sentences ?? own.sentences))
    }

    private static func record(_ sentences: [String: String]) -> Value {
        var features: [Substring: [(String, Value)]] = [:]
        for (key, text) in sentences {
            let feature = key.prefix { $0 != "." }
            features[feature, default: []].append((String(key.dropFirst(feature.count + 1)), .text(text)))
        }
        return .record(Record(features.map { (String($0.key), .record(Record($0.value))) }))
    }

    /// The unfilled sentence; nil for an unknown key.
    package func sentence(_ key: String) -> String? { sentences[key] }

    /// The sentence with its `{names}` filled in. An unknown key is shown itself; a test prevents that.
    package subscript(_ key: String, _ values: [String: String]) -> String { fill(key) { values[$0] } }

    /// The place of a sentence whose number gets the language's decimal mark.
    private static let decimalPlace = "decimal"

    private func fill(_ key: String, _ value: (String) -> String?) -> String {
        guard let pieces = content.fillable[key] else { return sentences[key] ?? key }
        var filled = ""
        for piece in pieces {
            guard let value = piece.name.flatMap(value) else {
                filled += piece.text
                continue
            }
            filled += piece.name == Self.decimalPlace ? number(plain: value) : value
        }
        return filled
    }

    /// A piece of a sentence; with a name where a value is filled in.
    private struct Piece: Sendable {
        let text: String
        let name: String?
    }

    private static func pieces(of sentence: String) -> [Piece]? {
        var pieces: [Piece] = []
        var rest = sentence[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { pieces.append(Piece(text: String(rest[..<open]), name: nil)) }
            let name = String(rest[rest.index(after: open)..<close])
            // Braces without one of our names are part of the sentence.
            pieces.append(Piece(text: "{\(name)}", name: name))
            rest = rest[rest.index(after: close)...]
        }
        return pieces.isEmpty ? nil : pieces + [Piece(text: String(rest), name: nil)]
    }

    package subscript(_ key: String) -> String { sentences[key] ?? key }

    package subscript(_ message: Message) -> String { self[message.key, message.values] }

    /// A sentence with a count: `key.one` for 1, `key.many` otherwise.
    package func count(_ key: String, _ number: Int) -> String {
        self[number == 1 ? "\(key)_one" : "\(key)_many", ["n": String(number)]]
    }

    /// "n of n": a sentence with `{n}` and `{of}` in it.
    package func count(_ key: String, _ number: Int, of all: Int) -> String {
        fill(key) { $0 == "n" ? String(number) : $0 == "of" ? String(all) : nil }
    }

    /// A number with the language's decimal mark and at most `digits` decimals.
    /// - Parameter isFull: with trailing zeros, as numbers are written that are compared with each other.
    package func number(_ value: Double, digits: Int = 1, isFull: Bool = false) -> String {
        let power = (0..<digits).reduce(1.0) { product, _ in product * 10 }
        let scaled = (abs(value) * power).rounded()
        guard scaled < 1e15 else { return "\(value)" }
        let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(power))
        var text = value < 0 && scaled > 0 ? "\u{2212}\(whole)" : String(whole)
        if rest > 0 || isFull && digits > 0 {
            let figures = String(rest)
            let padded = String(repeating: "0", count: digits - figures.utf8.count) + figures
            text += decimalMark + (isFull ? padded[...] : padded.trimmingSuffix("0"))
        }
        return text
    }

    /// The same for an amount, its whole part in groups of three.
    package func amount(_ value: Double, digits: Int = 1) -> String {
        let text = number(value, digits: digits)
        let whole = text.prefix { $0.isNumber || $0 == "\u{2212}" }
        let figures = whole.filter(\.isNumber)
        let grouped = figures.enumerated().map { index, figure in
            let isBegin = index > 0 && (figures.count - index).isMultiple(of: 3)
            return (isBegin ? content.groupMark : "") + String(figure)
        }.joined()
        return (whole.first == "\u{2212}" ? "\u{2212}" : "") + grouped + text.dropFirst(whole.count)
    }

    /// A number written by the program, with the language's decimal mark.
    package func number(plain text: String) -> String { text.replacing(".", with: decimalMark) }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        self[..<(lastIndex { $0 != character }.map { index(after: $0) } ?? startIndex)]
    }
}
