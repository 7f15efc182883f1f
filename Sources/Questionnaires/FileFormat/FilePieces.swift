import JSON
import Wire
import Wording

/// Reads single values of a questionnaire file and notes their faults with places.
package final class FilePieces {
    package private(set) var faults: [QuestionnaireFile.Fault] = []
    /// The most faults to report.
    private static let limit = 100
    private static let textLimit = 20_000
    /// The most comparisons of all conditions of a file together.
    private static let comparisonLimit = 2_000
    private var comparisons = 0

    package init() {}

    /// The most entries of each list: more than any instrument needs.
    static let limits = ["sections": 200, "questions": 200, "options": 250, "scales": 100, "items": 500]

    /// Counts a comparison of a condition; false when there are too many.
    func countsComparison(_ place: String) -> Bool {
        comparisons += 1
        if comparisons == Self.comparisonLimit + 1 {
            fault(place, "file.too_many", ["limit": String(Self.comparisonLimit)])
        }
        return comparisons <= Self.comparisonLimit
    }

    /// 3, not 3.0.
    package static func words(_ number: Double) -> String {
        number.rounded() == number && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
    }

    package func fault(_ place: String, _ key: String, _ values: [String: String] = [:]) {
        if faults.count < Self.limit {
            faults.append(QuestionnaireFile.Fault(place: place, message: Message(key, values)))
        }
    }

    package func present(_ json: JSON?) -> JSON? { json == .null ? nil : json }

    func isObject(_ json: JSON, _ place: String) -> Bool {
        if case .object = json { return true }
        fault(place, "file.object")
        return false
    }

    package func known(_ json: JSON, _ place: String, _ names: Set<String>) {
        guard case .object(let members) = json else { return }
        for member in members where !names.contains(member.key) {
            let name = String(member.key.prefix(60))
            fault(place.isEmpty ? name : "\(place).\(name)", "file.unknown_key")
        }
    }

    package func list(_ json: JSON?, _ place: String) -> [JSON]? {
        guard let list = json?.array else {
            fault(place, "file.list")
            return nil
        }
        let name = place.split(separator: ".").last.map { String($0.prefix { $0 != "[" }) } ?? ""
        let limit = Self.limits[name == "reversed" ? "items" : name] ?? 1_000
        guard list.count <= limit else {
            fault(place, "file.too_many", ["limit": String(limit)])
            return nil
        }
        return list
    }

    package func string(_ json: JSON?, _ place: String, isRequired: Bool = false) -> String? {
        guard let json = present(json) else {
            if isRequired { fault(place, "file.required") }
            return nil
        }
        guard let text = json.string else {
            fault(place, "file.text")
            return nil
        }
        guard text.unicodeScalars.count <= Self.textLimit else {
            fault(place, "file.long", ["limit": String(Self.textLimit)])
            return nil
        }
        return text
    }

    /// Letters, digits, `_`, `-` and `.`, up to 60.
    package func key(_ json: JSON?, _ place: String) -> String? {
        guard let text = string(json, place, isRequired: true) else { return nil }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain, (1...60).contains(text.utf8.count) else {
            fault(place, "file.key")
            return nil
        }
        return text
    }

    package func number(_ json: JSON?, _ place: String, isRequired: Bool = false) -> Double? {
        guard let json = present(json) else {
            if isRequired { fault(place, "file.required") }
            return nil
        }
        guard let number = json.number, number.isFinite else {
            // The editor keeps what it cannot read as one number.
            let typed = json.string.flatMap { TypedNumber($0) }
            if case .either(let readings)? = typed {
                fault(place, readings.question.key, readings.question.values)
            } else {
                fault(place, "file.number")
            }
            return nil
        }
        return number
    }

    func positiveInteger(_ json: JSON?, _ place: String) -> Int? {
        guard let number = number(json, place) else { return nil }
        guard number >= 1, number <= 100_000, number.rounded() == number else {
            fault(place, "file.positive")
            return nil
        }
        return Int(number)
    }

    package func bool(_ json: JSON?, _ place: String) -> Bool? {
        guard let json = present(json) else { return nil }
        if case .bool(let value) = json { return value }
        fault(place, "file.bool")
        return nil
    }

    package func choice(_ json: JSON?, _ place: String, _ choices: [String], isRequired: Bool = false)
        -> String?
    {
        guard let text = string(json, place, isRequired: isRequired) else { return nil }
        guard choices.contains(text) else {
            fault(place, "file.choice", ["choices": choices.joined(separator: ", ")])
            return nil
        }
        return text
    }

    /// A text in languages: `{"de": "…", "en": "…"}`.
    package func text(_ json: JSON?, _ place: String, isRequired: Bool = false) -> QuestionnaireDefinition
        .Text?
    {
        guard let json = present(json) else {
            if isRequired { fault(place, "file.required") }
            return nil
        }
        guard case .object(let members) = json else {
            fault(place, "file.translations")
            return nil
        }
        if isRequired && members.isEmpty { fault(place, "file.required") }
        let translations = members.compactMap { member -> (language: String, text: String)? in
            if !LocalizedText.isCode(member.key) {
                fault("\(place).\(String(member.key.prefix(60)))", "file.language")
            }
            return string(member.value, "\(place).\(member.key)", isRequired: true).map { (member.key, $0) }
        }
        return QuestionnaireDefinition.Text(translations: translations)
    }
}
