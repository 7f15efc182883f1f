import Foundation
import JSON
import Templates

/// Every sentence a person reads, in one language.
package struct Texts: Sendable {
    package let language: Language
    private let sentences: [String: String]
    /// Those with something to be filled in, taken apart.
    private let fillable: [String: [Piece]]
    /// The same for templates, as nested records.
    package let record: Value

    /// Reads `de.json` or `en.json`: sentences by feature and name.
    /// - Parameter variant: whose words go before those of the language, from a file of its own: `de-AT.json`.
    /// - Throws: when the file is missing or broken.
    package init(_ language: Language, as variant: LanguageVariant? = nil, folder: String) throws {
        self.language = language
        let own = try variant.map { try Self.read("\(folder)/\($0.rawValue).json") } ?? []
        var sentences: [String: String] = [:]
        var records: [(String, Value)] = []
        for (feature, members) in try Self.read("\(folder)/\(language.rawValue).json") {
            let others = own.first { $0.feature == feature }?.members ?? []
            let words = members.map { name, text in (name, others.first { $0.name == name }?.text ?? text) }
            for (name, text) in words { sentences["\(feature).\(name)"] = text }
            records.append((feature, .record(Record(words.map { ($0, .text($1)) }))))
        }
        self.sentences = sentences
        fillable = sentences.compactMapValues(Self.pieces)
        record = .record(Record(records))
    }

    private static func read(
        _ path: String
    ) throws -> [(feature: String, members: [(name: String, text: String)])] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TextsMissing("the texts \(path) are missing")
        }
        guard case .object(let features) = try JSON.parse(Array(data)) else {
            throw TextsMissing("\(path) is no object")
        }
        return try features.map { feature in
            guard case .object(let members) = feature.value else {
                throw TextsMissing("\(path): \(feature.key)")
            }
            return (feature.key, members.map { (name: $0.key, text: $0.value.string ?? "") })
        }
    }

    package var keys: Set<String> { Set(sentences.keys) }

    /// The sentence, its `{names}` filled in. A key that nobody wrote shows itself; a test keeps that from
    /// happening.
    package subscript(_ key: String, _ values: [String: String]) -> String { fill(key) { values[$0] } }

    private func fill(_ key: String, _ value: (String) -> String?) -> String {
        guard let pieces = fillable[key] else { return sentences[key] ?? key }
        var filled = ""
        for piece in pieces { filled += piece.name.flatMap(value) ?? piece.text }
        return filled
    }

    /// A stretch of a sentence; with a name where something is to be filled in.
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
            // Braces that hold no name of ours are part of the sentence.
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

    /// A number with the language's decimal sign and at most `digits` digits behind it, zeros at the end left out.
    package func number(_ value: Double, digits: Int = 1) -> String {
        let power = (0..<digits).reduce(1.0) { product, _ in product * 10 }
        let scaled = (abs(value) * power).rounded()
        guard scaled < 1e15 else { return "\(value)" }
        let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(power))
        var text = value < 0 && scaled > 0 ? "\u{2212}\(whole)" : String(whole)
        if rest > 0 {
            let figures = String(rest)
            let padded = String(repeating: "0", count: digits - figures.utf8.count) + figures
            text += (language == .german ? "," : ".") + padded.trimmingSuffix("0")
        }
        return text
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        self[..<(lastIndex { $0 != character }.map { index(after: $0) } ?? startIndex)]
    }
}

/// A file of texts is missing or broken; for the operator, English.
struct TextsMissing: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
