import Foundation
import HTTP
import Templates

/// The languages everything is written in.
enum Language: String, Sendable, CaseIterable {
    case german = "de"
    case english = "en"

    /// Chosen from `Accept-Language`: absent means German, none known English. Weights are respected.
    init(accepting header: String?) {
        guard let header, !header.isEmpty else {
            self = .german
            return
        }
        var best: (language: Language, weight: Double)?
        for part in header.split(separator: ",") {
            let pieces = part.split(separator: ";")
            let tag = pieces.first?.lowercased().filter { !$0.isWhitespace } ?? ""
            let quality = pieces.dropFirst().first { $0.contains("q=") }?.split(separator: "=").last
            let weight = quality.flatMap { Double($0.filter { !$0.isWhitespace }) } ?? 1
            let language = tag == "*" ? .german : Language(rawValue: String(tag.prefix { $0 != "-" }))
            if let language, weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
        }
        self = best?.language ?? .english
    }
}

/// A sentence by its key, with what is to be filled in.
struct Message: Sendable, Equatable {
    let key: String
    let values: [String: String]

    init(_ key: String, _ values: [String: String] = [:]) {
        self.key = key
        self.values = values
    }
}

/// Every sentence a person reads, in one language.
struct Texts: Sendable {
    let language: Language
    private let sentences: [String: String]
    /// The same for templates, as nested records.
    let record: Value

    /// Reads `de.json` or `en.json`: sentences by feature and name.
    /// - Throws: when the file is missing or broken.
    init(_ language: Language, folder: String) throws {
        self.language = language
        let path = "\(folder)/\(language.rawValue).json"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError("the texts \(path) are missing")
        }
        guard case .object(let features) = try JSON.parse(Array(data)) else {
            throw StartError("\(path) is no object")
        }
        var sentences: [String: String] = [:]
        var records: [(String, Value)] = []
        for feature in features {
            guard case .object(let members) = feature.value else {
                throw StartError("\(path): \(feature.key)")
            }
            for member in members { sentences["\(feature.key).\(member.key)"] = member.value.string }
            records.append(
                (feature.key, .record(Record(members.map { ($0.key, .text($0.value.string ?? "")) }))))
        }
        self.sentences = sentences
        record = .record(Record(records))
    }

    var keys: Set<String> { Set(sentences.keys) }

    /// The sentence, its `{names}` filled in. A key that nobody wrote shows itself; a test keeps that from
    /// happening.
    subscript(_ key: String, _ values: [String: String]) -> String {
        guard var sentence = sentences[key] else { return key }
        for (name, value) in values { sentence = sentence.replacingOccurrences(of: "{\(name)}", with: value) }
        return sentence
    }

    subscript(_ key: String) -> String { sentences[key] ?? key }

    subscript(_ message: Message) -> String { self[message.key, message.values] }

    /// A sentence with a count: `key.one` for 1, `key.many` otherwise.
    func count(_ key: String, _ number: Int) -> String {
        self[number == 1 ? "\(key)_one" : "\(key)_many", ["n": String(number)]]
    }

    /// A number with the language's decimal sign and at most `digits` digits behind it.
    func number(_ value: Double, digits: Int = 1) -> String {
        let text = String(format: "%.\(digits)f", value)
        let isWhole = digits > 0 && text.hasSuffix("." + String(repeating: "0", count: digits))
        let short = isWhole ? String(text.dropLast(digits + 1)) : text
        let minus = short == "-0" ? "0" : short.replacingOccurrences(of: "-", with: "\u{2212}")
        return language == .german ? minus.replacingOccurrences(of: ".", with: ",") : minus
    }
}

/// Why the program cannot start; for the operator, English.
public struct StartError: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
