import JSON

/// The answers that a form offers, with the values they count by.
struct FHIROptions {
    /// How the form says what an answer is.
    enum Kind: String, Sendable { case coding, integer, string, date, time, reference }

    struct Option: Sendable {
        let json: JSON
        let kind: Kind
        /// Its code, number or words.
        let key: String
        let system: String?
        var weight: Double?
        /// Whether the form itself says its points.
        let saysPoints: Bool
    }

    enum Basis: Sendable { case weights, numbers, places, mixed }

    let list: [Option]
    let values: [Double]
    let basis: Basis

    /// - Parameters:
    ///   - json: as `answerOption`.
    ///   - given: the points that were said for one that has none, beside others that have.
    init(_ json: [JSON], given: (Int) -> Double? = { _ in nil }) {
        var list = json.map(Self.option)
        if list.contains(where: \.saysPoints) {
            for index in list.indices where !list[index].saysPoints { list[index].weight = given(index) }
        }
        self.list = list
        let weights = list.compactMap(\.weight)
        let numbers = list.compactMap(\.number)
        if !weights.isEmpty {
            basis = weights.count == list.count ? .weights : .mixed
        } else {
            basis = numbers.count == list.count && Self.areValues(list, numbers) ? .numbers : .places
        }
        switch basis {
        case .weights: values = weights
        case .numbers: values = numbers
        case .places, .mixed: values = list.indices.map { Double($0) }
        }
    }

    /// Whether the form itself says how many points each is.
    var isCounted: Bool {
        switch basis {
        case .weights: true
        case .numbers: list.allSatisfy { $0.kind == .integer }
        case .places, .mixed: false
        }
    }

    /// What a note says about answers of which some have a weight.
    var missing: [String: String] {
        let without = list.filter { $0.weight == nil }
        return [
            "count": String(without.count), "of": String(list.count),
            "first": String((without.first?.key ?? "").prefix(60)),
        ]
    }

    private static let smallest = -100.0...100.0

    /// A code of a system names something, and is no number of points, unless all of them are as small as points are.
    private static func areValues(_ list: [Option], _ numbers: [Double]) -> Bool {
        list.allSatisfy { $0.system == nil }
            || numbers.allSatisfy { smallest.contains($0) && $0.rounded() == $0 }
    }

    /// Addresses of extensions that hold a weight.
    static let weights = [
        "ordinalValue", "itemWeight", "questionnaire-ordinalValue", "questionnaire-optionScore",
        "codesystem-ordinalValue", "valueset-ordinalValue",
    ].map { FHIRWriter.standard + $0 }

    private static func option(_ json: JSON) -> Option {
        let members = FHIRPieces.members(json)
        let valued = members.first { $0.key.hasPrefix("value") }
        let value = valued?.value ?? .null
        let kind: Kind =
            switch valued?.key {
            case "valueInteger": .integer
            case "valueDate": .date
            case "valueTime": .time
            case "valueReference": .reference
            case "valueCoding": .coding
            default: .string
            }
        let key =
            value["code"]?.string ?? value["reference"]?.string ?? value["display"]?.string ?? value.string
            ?? value.number.map(FilePieces.words) ?? ""
        let around = [json, value, json["_" + (valued?.key ?? "")] ?? .null]
        let weight = around.lazy.flatMap { place in
            weights.flatMap { FHIRPieces.extensions(place, $0) }
        }.compactMap { $0["valueDecimal"]?.number ?? $0["valueInteger"]?.number }.first
        return Option(
            json: json, kind: kind, key: key, system: value["system"]?.string, weight: weight,
            saysPoints: weight != nil)
    }

    /// The value of the option that a condition names; nil for one that is not offered.
    func value(of key: String, _ kind: Kind, system: String? = nil) -> Double? {
        let index = list.firstIndex { option in
            option.kind == kind && option.key == key
                && (system == nil || option.system == nil || option.system == system)
        }
        return index.map { values[$0] }
    }

    /// The option with these words.
    func value(saying words: String) -> Double? {
        let index = list.firstIndex { option in
            let coding = option.json["valueCoding"] ?? .null
            let translated = (coding["_display"]?["extension"]?.array ?? []).flatMap {
                $0["extension"]?.array ?? []
            }
            return
                ([coding["display"]?.string, option.json["valueString"]?.string]
                + translated.map { $0["valueString"]?.string }).contains(words)
        }
        return index.map { values[$0] }
    }

    /// The values of the options whose number compares to another one.
    func values(_ relation: String, _ number: Double) -> [Double]? {
        let compare: (Double) -> Bool
        switch relation {
        case ">": compare = { $0 > number }
        case ">=": compare = { $0 >= number }
        case "<": compare = { $0 < number }
        case "<=": compare = { $0 <= number }
        default: return nil
        }
        guard list.allSatisfy({ $0.kind == .integer }) else { return nil }
        return zip(list, values).filter { $0.0.number.map(compare) ?? false }.map(\.1)
    }
}

extension FHIROptions.Option {
    /// Its own number, or its code as one.
    var number: Double? {
        switch kind {
        case .integer, .coding: FHIRPieces.number(key)
        case .string, .date, .time, .reference: nil
        }
    }

    func words(_ pieces: FHIRPieces) -> JSON {
        switch kind {
        case .coding: pieces.translations(json["valueCoding"] ?? .null, "display") ?? pieces.text(key)
        case .string: pieces.translations(json, "valueString") ?? pieces.text(key)
        case .reference: pieces.text(json["valueReference"]?["display"]?.string ?? key)
        case .integer, .date, .time: pieces.text(key)
        }
    }
}
