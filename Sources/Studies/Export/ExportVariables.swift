import Instruments
import JSON
import Questionnaires

/// Names of variables that every statistics program takes: small ASCII letters, digits and underscores, a letter first, at
/// most 32 characters, each once.
struct ExportVariables {
    private(set) var names: [String] = []
    private var places: [String: String] = [:]
    private var taken: Set<String> = []

    private static let longest = 32

    /// The name of an item of a questionnaire, or of one of its scales; the same one whenever it is asked.
    mutating func name(_ questionnaire: String, _ item: String, isScale: Bool = false) -> String {
        let place = "\(isScale)/\(questionnaire)/\(item)"
        let item = isScale ? "score_" + item : item
        if let known = places[place] { return known }
        let plain = String(
            (questionnaire + "_" + item).lowercased().utf8.map(Self.character).prefix(Self.longest))
        let first =
            plain.first.map { $0.isLetter ? plain : String(("v" + plain).prefix(Self.longest)) } ?? "v"
        var name = first
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = first.prefix(Self.longest - String(number).count - 1) + "_\(number)"
        }
        places[place] = name
        names.append(name)
        return name
    }

    func known(_ questionnaire: String, _ item: String, isScale: Bool = false) -> String? {
        places["\(isScale)/\(questionnaire)/\(item)"]
    }

    private static func character(_ byte: UInt8) -> Character {
        let isPlain = (97...122).contains(byte) || (48...57).contains(byte)
        return isPlain ? Character(Unicode.Scalar(byte)) : "_"
    }
}

/// The columns of the wide file, and where each question and scale has its own.
struct WideColumns {
    let names: [String]
    private var places: [String: [String: Int]] = [:]
    private var scales: [String: [String: Int]] = [:]

    init(_ definitions: [QuestionnaireDefinition]) {
        var variables = ExportVariables()
        for definition in definitions {
            for question in definition.questions { _ = variables.name(definition.key, question.key) }
            for scale in definition.scales { _ = variables.name(definition.key, scale.key, isScale: true) }
        }
        names = variables.names
        let order = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
        for definition in definitions {
            for question in definition.questions {
                let name = variables.known(definition.key, question.key) ?? ""
                places[definition.key, default: [:]][question.key] = order[name]
            }
            for scale in definition.scales {
                let name = variables.known(definition.key, scale.key, isScale: true) ?? ""
                scales[definition.key, default: [:]][scale.key] = order[name]
            }
        }
    }

    /// The values of an occasion, one for each column.
    func values(of row: ExportRow) -> [JSON] {
        var values = [JSON](repeating: .null, count: names.count)
        guard let sheet = row.sheet else { return values }
        let own = places[row.questionnaire] ?? [:]
        let scored = scales[row.questionnaire] ?? [:]
        for (index, question) in sheet.questionnaire.definition.questions.enumerated() {
            if let place = own[question.key] { values[place] = sheet.answer(index, question.key) }
        }
        for score in sheet.scores {
            if let place = scored[score.scale], let value = score.value { values[place] = .number(value) }
        }
        return values
    }
}
