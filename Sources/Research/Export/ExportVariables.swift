import Instruments
import JSON
import Questionnaires
import Records
import Wire

/// Names of variables that every statistics program accepts: small ASCII letters, digits and underscores, a letter
/// first, at most 32 characters, each unique.
struct ExportVariables {
    private var places: [String: String] = [:]
    /// The first columns of every row come first: they are the same in each study.
    private var taken = Set(ExportLong.columns)

    /// Names of items that would be those of the first columns, with what they are called instead.
    private(set) var moved: [(from: String, to: String)] = []

    private static let longest = 32

    init() {}

    /// Questions and scales are named before single choices, so that these never take a name from them.
    init(_ definitions: [QuestionnaireDefinition]) {
        for definition in definitions {
            for question in definition.questions { _ = name(definition.key, question.key) }
            for scale in definition.scales { _ = name(definition.key, scale.key, isScale: true) }
        }
        for definition in definitions {
            for question in definition.questions where question.isMultiple {
                for option in question.options { _ = name(definition.key, question.key, option.value) }
            }
        }
    }

    /// The name of an item of a questionnaire, or of one of its scales; always the same.
    mutating func name(_ questionnaire: String, _ item: String, isScale: Bool = false) -> String {
        let place = "\(isScale)/\(questionnaire)/\(item)"
        return name(place, questionnaire + "_" + (isScale ? "score_" : "") + item, ending: "")
    }

    /// The name of one choice of many: the item's, with the value at its end.
    mutating func name(_ questionnaire: String, _ item: String, _ value: Double) -> String {
        let text = CSVDialect.plain.text(value)
        return name("choice/\(questionnaire)/\(item)/\(text)", questionnaire + "_" + item, ending: "_" + text)
    }

    private mutating func name(_ place: String, _ words: String, ending: String) -> String {
        if let known = places[place] { return known }
        let end = String(ending.utf8.map(Self.character))
        let plain = String(words.lowercased().utf8.map(Self.character))
        let safe = plain.first?.isLetter == true ? plain : "v" + plain
        let first = safe.prefix(Self.longest - end.count) + end
        var name = String(first)
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = first.prefix(Self.longest - String(number).count - 1) + "_\(number)"
        }
        if name != first, ExportLong.columns.contains(String(first)) { moved.append((String(first), name)) }
        places[place] = name
        return name
    }

    private static func character(_ byte: UInt8) -> Character {
        let isPlain = (97...122).contains(byte) || (48...57).contains(byte)
        return isPlain ? Character(Unicode.Scalar(byte)) : "_"
    }
}

extension QuestionnaireDefinition.Question {
    var isMultiple: Bool {
        if case .multiple = type { return true }
        return false
    }
}

/// The columns of the wide file, and those of each question, each choice of many and each scale.
struct WideColumns {
    private(set) var names: [String] = []
    private var places: [String: Int] = [:]

    /// - Parameter others: behind them: whatever they are called, no name of the first hangs on it.
    init(_ definitions: [QuestionnaireDefinition], and others: [QuestionnaireDefinition] = []) {
        var variables = ExportVariables(definitions)
        let all = definitions + others
        for definition in all {
            for question in definition.questions {
                add(variables.name(definition.key, question.key))
                for option in question.choices {
                    add(variables.name(definition.key, question.key, option.value))
                }
            }
            for scale in definition.scales {
                add(variables.name(definition.key, scale.key, isScale: true))
            }
        }
        layouts = Dictionary(
            uniqueKeysWithValues: Set(all.map(\.key)).map { key in
                (key, Layout(key, all.filter { $0.key == key }, &variables, places))
            })
    }

    private mutating func add(_ name: String) {
        guard places[name] == nil else { return }
        places[name] = names.count
        names.append(name)
    }

    /// The columns of one questionnaire, over all of its versions.
    private struct Layout {
        var questions: [String: Int] = [:]
        var choices: [String: [Double: Int]] = [:]
        var scales: [String: Int] = [:]

        init(
            _ key: String, _ versions: [QuestionnaireDefinition], _ names: inout ExportVariables,
            _ places: [String: Int]
        ) {
            for version in versions {
                for question in version.questions {
                    questions[question.key] = places[names.name(key, question.key)]
                    for option in question.choices {
                        let name = names.name(key, question.key, option.value)
                        choices[question.key, default: [:]][option.value] = places[name]
                    }
                }
                for scale in version.scales {
                    scales[scale.key] = places[names.name(key, scale.key, isScale: true)]
                }
            }
        }
    }

    private var layouts: [String: Layout] = [:]

    /// The columns of one version: a file has a thousand rows of each.
    private struct Places {
        /// Of the questions in their order.
        var questions: [Int?] = []
        /// Of each question's choices.
        var choices: [[(value: Double, place: Int)]] = []
        var scales: [String: Int] = [:]

        init(_ definition: QuestionnaireDefinition, _ layout: Layout?) {
            guard let layout else { return }
            for question in definition.questions {
                questions.append(layout.questions[question.key])
                let own = layout.choices[question.key] ?? [:]
                // A choice that this version did not offer stays empty: it was not declined.
                choices.append(
                    question.choices.compactMap { option in
                        own[option.value].map { (value: option.value, place: $0) }
                    })
            }
            scales = layout.scales
        }
    }

    private var known: [ID<QuestionnaireVersion>: Places] = [:]

    private mutating func places(of questionnaire: QuestionnaireRecord) -> Places {
        if let found = known[questionnaire.id] { return found }
        let made = Places(questionnaire.definition, layouts[questionnaire.key])
        known[questionnaire.id] = made
        return made
    }

    /// Those of one questionnaire in their order, with the scale that a column is of.
    func columns(of questionnaire: String) -> [(place: Int, scale: String?)] {
        guard let layout = layouts[questionnaire] else { return [] }
        let asked = Array(layout.questions.values) + layout.choices.values.flatMap(\.values)
        let all: [(place: Int, scale: String?)] =
            asked.map { ($0, nil) } + layout.scales.map { ($0.value, $0.key) }
        return all.sorted { $0.place < $1.place }
    }

    /// The columns of the questions that were not shown, and of their choices.
    mutating func hidden(in row: ExportRow) -> [Int] {
        guard let sheet = row.sheet, !sheet.hidden.isEmpty else { return [] }
        let own = places(of: sheet.questionnaire)
        return own.questions.indices.filter { sheet.hidden[$0] }.flatMap { index in
            [own.questions[index]].compactMap(\.self) + own.choices[index].map(\.place)
        }
    }

    /// The values of an occasion, one for each column.
    mutating func values(of row: ExportRow) -> [JSON] {
        var values = [JSON](repeating: .null, count: names.count)
        guard let sheet = row.sheet else { return values }
        let own = places(of: sheet.questionnaire)
        for (index, question) in zip(own.questions.indices, sheet.questionnaire.definition.questions) {
            let answer = sheet.answer(index, question.key)
            if let place = own.questions[index] { values[place] = answer }
            guard let chosen = answer.array else { continue }
            for choice in own.choices[index] {
                values[choice.place] = .number(chosen.contains { $0.number == choice.value } ? 1 : 0)
            }
        }
        for score in sheet.scores {
            if let place = own.scales[score.scale], let value = score.value { values[place] = .number(value) }
        }
        return values
    }
}

extension QuestionnaireDefinition.Question {
    /// The parts with a column beside the text: each of many choices.
    var choices: [QuestionnaireDefinition.Option] { isMultiple ? options : [] }
}
