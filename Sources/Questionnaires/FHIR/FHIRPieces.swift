import JSON
import Wire
import Wording

/// Common parts of reading FHIR: texts with their translations, extensions, and notes on left-out parts.
final class FHIRPieces {
    let language: String
    private(set) var notes: [ExchangeNote] = []
    /// What the form is refused for.
    private(set) var faults: [QuestionnaireFile.Fault] = []
    /// Points that were said for answers without any, by the place of the answer.
    let points: [String: Double]
    private(set) var uncounted: [UncountedAnswer] = []

    init(language: String, points: [String: Double]) {
        self.language = language
        self.points = points
    }

    func ask(_ answer: UncountedAnswer) { uncounted.append(answer) }

    func note(_ place: String, _ key: String, _ values: [String: String] = [:]) {
        notes.append(ExchangeNote(place: place, message: Message(key, values)))
    }

    func fault(_ place: String, _ key: String, _ values: [String: String] = [:]) {
        faults.append(QuestionnaireFile.Fault(place: place, message: Message(key, values)))
    }

    /// Letters, digits, dot, dash and underscore, up to 60.
    static func key(_ text: String) -> String {
        let allowed = text.unicodeScalars.map { scalar -> Character in
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
        }
        return allowed.isEmpty ? "q" : String(String(allowed).prefix(60))
    }

    static func members(_ json: JSON) -> [JSON.Member] {
        if case .object(let members) = json { return members }
        return []
    }

    /// Digits, a sign and a point; no other notations of compilers.
    static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }), let number = Double(text) else {
            return nil
        }
        return number.isFinite ? number : nil
    }

    static func extensions(_ json: JSON, _ url: String) -> [JSON] {
        (json["extension"]?.array ?? []).filter { $0["url"]?.string == url }
    }

    static func control(_ item: JSON) -> String? {
        let found = extensions(item, FHIRWriter.standard + "questionnaire-itemControl").first
        return found?["valueCodeableConcept"]?["coding"]?.array?.first?["code"]?.string
    }

    static func isHidden(_ item: JSON) -> Bool {
        extensions(item, FHIRWriter.standard + "questionnaire-hidden").first?["valueBoolean"] == .bool(true)
    }

    /// The answers that stand at an item itself.
    static func offered(_ item: JSON) -> [JSON] { item["answerOption"]?.array ?? [] }

    /// The language code of our files: the primary part of the tag.
    static func code(_ tag: String) -> String {
        let primary = String(tag.prefix { $0 != "-" }).lowercased()
        return LocalizedText.isCode(primary) ? primary : String(primary.prefix(2))
    }

    func text(_ words: String) -> JSON { .object([.init(language, .string(words))]) }

    func translations(_ json: JSON, _ name: String) -> JSON? {
        guard let plain = json[name]?.string, !plain.isEmpty else { return nil }
        var members: [JSON.Member] = []
        for found in Self.extensions(json["_" + name] ?? .null, FHIRWriter.standard + "translation") {
            let parts = found["extension"]?.array ?? []
            let code = parts.first { $0["url"]?.string == "lang" }?["valueCode"]?.string
            let words = parts.first { $0["url"]?.string == "content" }
            if let code, let text = words?["valueString"]?.string ?? words?["valueMarkdown"]?.string {
                members.append(.init(Self.code(code), .string(text)))
            }
        }
        // The plain text is in the questionnaire's language, unless marked otherwise.
        let other = Self.extensions(json["_" + name] ?? .null, FHIRWriter.own + "language").first
        let code = other?["valueCode"]?.string ?? language
        if !members.contains(where: { $0.key == code }) { members.insert(.init(code, .string(plain)), at: 0) }
        return .object(members)
    }
}
