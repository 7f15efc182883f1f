import HTTP
import Wire

/// Reads `intersession-questionnaire/1`: completely, strictly, and with the place of every error.
struct QuestionnaireFile {
    static let format = "intersession-questionnaire/1"

    /// An error and where it is: `sections[2].questions[0].options`.
    struct Fault: Error, Sendable, Equatable {
        let place: String
        let message: Message
    }

    /// All that is wrong with a file.
    struct Faults: Error, Sendable {
        let list: [Fault]
    }

    /// - Throws: `Faults` with every error, not only the first; a file with one imports nothing.
    static func read(_ bytes: [UInt8]) throws(Faults) -> QuestionnaireDefinition {
        let json: JSON
        do {
            json = try JSON.parse(bytes)
        } catch {
            let failure = error as? JSON.Failure
            let values = ["line": String(failure?.line ?? 0), "column": String(failure?.column ?? 0)]
            let key = failure?.isDuplicateKey == true ? "problems.duplicate_key" : "problems.no_json"
            throw Faults(list: [Fault(place: "file", message: Message(key, values))])
        }
        return try read(json)
    }

    static func read(_ json: JSON) throws(Faults) -> QuestionnaireDefinition {
        let reader = FileReader(json)
        let definition = reader.definition()
        guard let definition, reader.faults.isEmpty else { throw Faults(list: reader.faults) }
        return definition
    }
}

/// Walks through the file and notes what is wrong.
private final class FileReader {
    private(set) var faults: [QuestionnaireFile.Fault] = []
    private let root: JSON
    private var questionKeys: Set<String> = []
    private var sectionKeys: Set<String> = []
    /// What has come before the section that is read now, for conditions.
    private var earlier: [String: QuestionnaireDefinition.Question] = [:]

    init(_ root: JSON) { self.root = root }

    func definition() -> QuestionnaireDefinition? {
        guard case .object = root else {
            fault("file", "file.object")
            return nil
        }
        known(
            root, "",
            [
                "format", "key", "version", "title", "description", "intro", "outro", "citation", "origin", "mode",
                "sections", "scales",
            ])
        if root["format"]?.string != QuestionnaireFile.format {
            fault("format", "file.format", ["format": QuestionnaireFile.format])
        }
        let key = key(root["key"], "key")
        _ = positiveInteger(root["version"], "version")
        let title = text(root["title"], "title", isRequired: true)
        let mode = choice(root["mode"], "mode", ["sheet", "living"]).flatMap(QuestionnaireDefinition.Mode.init) ?? .sheet
        let sections = sections()
        let scales = scales(sections)
        guard let key, let title else { return nil }
        return QuestionnaireDefinition(
            key: key, title: title, description: text(root["description"], "description"),
            intro: text(root["intro"], "intro"), outro: text(root["outro"], "outro"),
            citation: string(root["citation"], "citation"), origin: string(root["origin"], "origin"), mode: mode,
            sections: sections, scales: scales)
    }

    // MARK: Sections

    private func sections() -> [QuestionnaireDefinition.Section] {
        guard let list = list(root["sections"], "sections"), !list.isEmpty else {
            if root["sections"]?.array?.isEmpty == true { fault("sections", "file.empty") }
            return []
        }
        return list.enumerated().compactMap { index, value in
            let section = section(value, "sections[\(index)]")
            for question in section?.questions ?? [] { earlier[question.key] = question }
            return section
        }
    }

    private func section(_ json: JSON, _ place: String) -> QuestionnaireDefinition.Section? {
        guard isObject(json, place) else { return nil }
        known(json, place, ["key", "text", "visible_if", "options", "questions"])
        let key = key(json["key"], place + ".key")
        if let key, !sectionKeys.insert(key).inserted { fault(place + ".key", "file.key_twice", ["key": key]) }
        let condition = present(json["visible_if"]).flatMap { self.condition($0, place + ".visible_if", depth: 0) }
        let options = options(json["options"], place + ".options") ?? []
        var questions: [QuestionnaireDefinition.Question] = []
        if let values = present(json["questions"]).flatMap({ list($0, place + ".questions") }) {
            questions = values.enumerated().compactMap { index, value in
                question(value, "\(place).questions[\(index)]", sectionOptions: options)
            }
        }
        guard let key else { return nil }
        let text = text(json["text"], place + ".text") ?? QuestionnaireDefinition.Text(translations: [])
        return QuestionnaireDefinition.Section(
            key: key, text: text, visibleIf: condition, options: options, questions: questions)
    }

    private func options(_ json: JSON?, _ place: String) -> [QuestionnaireDefinition.Option]? {
        guard let json = present(json), let values = list(json, place) else { return nil }
        var seen: Set<Double> = []
        return values.enumerated().compactMap { index, value in
            let place = "\(place)[\(index)]"
            guard isObject(value, place) else { return nil }
            known(value, place, ["value", "text", "exclusive"])
            guard let number = number(value["value"], place + ".value", isRequired: true),
                let text = text(value["text"], place + ".text", isRequired: true)
            else { return nil }
            if !seen.insert(number).inserted { fault(place + ".value", "file.value_twice", ["value": "\(number)"]) }
            let isExclusive = bool(value["exclusive"], place + ".exclusive") ?? false
            return QuestionnaireDefinition.Option(value: number, text: text, isExclusive: isExclusive)
        }
    }

    // MARK: Questions

    private static let allowed: [String: Set<String>] = [
        "single": ["options"], "multiple": ["options", "minimum_choices", "maximum_choices"],
        "slider": ["minimum", "maximum", "step", "minimum_label", "maximum_label"],
        "sam": ["aspect", "minimum", "maximum", "minimum_label", "maximum_label"], "yes_no": [], "text": [],
        "number": ["minimum", "maximum"], "date": [],
    ]

    private func question(
        _ json: JSON, _ place: String, sectionOptions: [QuestionnaireDefinition.Option]
    ) -> QuestionnaireDefinition.Question? {
        guard isObject(json, place) else { return nil }
        let type = choice(json["type"], place + ".type", Self.allowed.keys.sorted(), isRequired: true)
        known(json, place, Set(["key", "type", "required", "text"]).union(type.flatMap { Self.allowed[$0] } ?? []))
        let key = key(json["key"], place + ".key")
        if let key, !questionKeys.insert(key).inserted { fault(place + ".key", "file.key_twice", ["key": key]) }
        let text = text(json["text"], place + ".text", isRequired: true)
        let own = options(json["options"], place + ".options")
        let options = own ?? sectionOptions
        let isChoice = type == "single" || type == "multiple"
        if isChoice && options.isEmpty { fault(place + ".options", "file.no_options") }
        guard let type, let key, let text, let kind = kind(type, json, place, options: options.count) else { return nil }
        return QuestionnaireDefinition.Question(
            key: key, type: kind, isRequired: bool(json["required"], place + ".required") ?? false, text: text,
            options: isChoice ? options : [], hasOwnOptions: own != nil && isChoice,
            minimumLabel: self.text(json["minimum_label"], place + ".minimum_label"),
            maximumLabel: self.text(json["maximum_label"], place + ".maximum_label"))
    }

    private func kind(_ type: String, _ json: JSON, _ place: String, options: Int) -> QuestionnaireDefinition.Kind? {
        switch type {
        case "single": return .single
        case "multiple":
            let minimum = positiveInteger(json["minimum_choices"], place + ".minimum_choices")
            let maximum = positiveInteger(json["maximum_choices"], place + ".maximum_choices")
            if minimum ?? 0 > maximum ?? options { fault(place + ".minimum_choices", "file.choices") }
            if maximum ?? 0 > options { fault(place + ".maximum_choices", "file.choices") }
            return .multiple(minimum: minimum, maximum: maximum)
        case "slider":
            guard let range = range(json, place, isRequired: true) else { return nil }
            let step = number(json["step"], place + ".step") ?? 1
            if step <= 0 || step > range.1 - range.0 { fault(place + ".step", "file.step") }
            return .slider(minimum: range.0, maximum: range.1, step: step)
        case "sam":
            guard let range = range(json, place, isRequired: true) else { return nil }
            let aspect = choice(json["aspect"], place + ".aspect", ["valence", "arousal"], isRequired: true)
            return .sam(aspect: aspect ?? "", minimum: range.0, maximum: range.1)
        case "yes_no": return .yesNo
        case "number":
            let minimum = number(json["minimum"], place + ".minimum")
            let maximum = number(json["maximum"], place + ".maximum")
            if let minimum, let maximum, minimum >= maximum { fault(place + ".maximum", "file.range") }
            return .number(minimum: minimum, maximum: maximum)
        case "date": return .date
        default: return .text
        }
    }

    private func range(_ json: JSON, _ place: String, isRequired: Bool) -> (Double, Double)? {
        guard let minimum = number(json["minimum"], place + ".minimum", isRequired: isRequired),
            let maximum = number(json["maximum"], place + ".maximum", isRequired: isRequired)
        else { return nil }
        if minimum >= maximum { fault(place + ".maximum", "file.range") }
        return (minimum, maximum)
    }

    // MARK: Conditions

    private func condition(_ json: JSON, _ place: String, depth: Int) -> Condition? {
        guard isObject(json, place) else { return nil }
        guard depth < 20 else {
            fault(place, "file.condition_deep")
            return nil
        }
        let parts = { (name: String) -> [Condition]? in
            guard let values = self.list(json[name], "\(place).\(name)") else { return nil }
            if values.isEmpty { self.fault("\(place).\(name)", "file.empty") }
            return values.enumerated().compactMap { index, value in
                self.condition(value, "\(place).\(name)[\(index)]", depth: depth + 1)
            }
        }
        if json["all"] != nil {
            known(json, place, ["all"])
            return parts("all").map { .all($0) }
        }
        if json["any"] != nil {
            known(json, place, ["any"])
            return parts("any").map { .any($0) }
        }
        if let inner = json["not"] {
            known(json, place, ["not"])
            return condition(inner, place + ".not", depth: depth + 1).map { .not($0) }
        }
        return comparison(json, place)
    }

    private func comparison(_ json: JSON, _ place: String) -> Condition? {
        let operators = ["equals", "any_of", "at_least"].filter { json[$0] != nil }
        known(json, place, ["question", "equals", "any_of", "at_least"])
        guard operators.count == 1, let question = string(json["question"], place + ".question", isRequired: true)
        else {
            if operators.count != 1 { fault(place, "file.condition_operator") }
            return nil
        }
        guard let target = earlier[question] else {
            let key = questionKeys.contains(question) ? "file.condition_self" : "file.condition_reference"
            fault(place + ".question", key, ["key": question])
            return nil
        }
        switch operators[0] {
        case "equals":
            guard let value = number(json["equals"], place + ".equals", isRequired: true) else { return nil }
            offered([value], by: target, place + ".equals")
            return .equals(question: question, value: value)
        case "at_least":
            guard let value = number(json["at_least"], place + ".at_least", isRequired: true) else { return nil }
            if target.type == .text || target.type == .date { fault(place + ".question", "file.condition_type") }
            return .atLeast(question: question, value: value)
        default:
            guard let list = list(json["any_of"], place + ".any_of") else { return nil }
            if list.isEmpty { fault(place + ".any_of", "file.empty") }
            let values = list.enumerated().compactMap { number($0.element, "\(place).any_of[\($0.offset)]", isRequired: true) }
            offered(values, by: target, place + ".any_of")
            return .anyOf(question: question, values: values)
        }
    }

    /// A condition on a value that cannot be chosen could never come true.
    private func offered(_ values: [Double], by question: QuestionnaireDefinition.Question, _ place: String) {
        if question.type == .text || question.type == .date { fault(place, "file.condition_type") }
        guard !question.options.isEmpty else { return }
        for value in values where !question.options.contains(where: { $0.value == value }) {
            fault(place, "file.condition_value", ["value": "\(value)"])
        }
    }

    // MARK: Scales

    private func scales(_ sections: [QuestionnaireDefinition.Section]) -> [Scale] {
        guard let json = present(root["scales"]), let values = list(json, "scales") else { return [] }
        let questions = Dictionary(
            sections.flatMap(\.questions).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var keys: Set<String> = []
        return values.enumerated().compactMap { index, value in
            let place = "scales[\(index)]"
            let scale = scale(value, place, questions)
            if let scale, !keys.insert(scale.key).inserted { fault(place + ".key", "file.key_twice", ["key": scale.key]) }
            return scale
        }
    }

    private static let scaleKeys: Set<String> = [
        "key", "title", "method", "items", "reversed", "factor", "percent", "minimum_answered", "range",
        "higher_is_worse", "cutoff", "reliability", "standard_deviation",
    ]

    private func scale(
        _ json: JSON, _ place: String, _ questions: [String: QuestionnaireDefinition.Question]
    ) -> Scale? {
        guard isObject(json, place) else { return nil }
        known(json, place, Self.scaleKeys)
        let key = key(json["key"], place + ".key")
        let title = text(json["title"], place + ".title", isRequired: true)
        let method = choice(json["method"], place + ".method", ["sum", "mean"], isRequired: true)
        let items = items(json["items"], place + ".items", questions)
        let reversed = present(json["reversed"]).map { self.items($0, place + ".reversed", questions, mayBeEmpty: true) } ?? []
        for (index, item) in reversed.enumerated() where !items.contains(item) {
            fault("\(place).reversed[\(index)]", "file.reversed", ["key": item])
        }
        let isPercent = bool(json["percent"], place + ".percent") ?? false
        sameRanges(items, reversed, isPercent, place, questions)
        let minimum = number(json["minimum_answered"], place + ".minimum_answered")
        if let minimum, minimum <= 0 || minimum > 1 { fault(place + ".minimum_answered", "file.share") }
        let reliability = number(json["reliability"], place + ".reliability")
        if let reliability, reliability < 0 || reliability > 1 { fault(place + ".reliability", "file.share") }
        let deviation = number(json["standard_deviation"], place + ".standard_deviation")
        if let deviation, deviation <= 0 { fault(place + ".standard_deviation", "file.positive") }
        let (range, factor) = (scaleRange(json["range"], place + ".range"), number(json["factor"], place + ".factor"))
        let direction = bool(json["higher_is_worse"], place + ".higher_is_worse")
        let cutoff = number(json["cutoff"], place + ".cutoff")
        guard let key, let title, let method = method.flatMap(Scale.Method.init(rawValue:)), !items.isEmpty else {
            return nil
        }
        return Scale(
            key: key, title: title, method: method, items: items, reversed: Set(reversed), factor: factor ?? 1,
            isPercent: isPercent, minimumAnswered: minimum, range: range, higherIsWorse: direction, cutoff: cutoff,
            reliability: reliability, standardDeviation: deviation)
    }

    private func items(
        _ json: JSON?, _ place: String, _ questions: [String: QuestionnaireDefinition.Question],
        mayBeEmpty: Bool = false
    ) -> [String] {
        guard let values = list(json, place) else { return [] }
        if values.isEmpty && !mayBeEmpty { fault(place, "file.empty") }
        var seen: Set<String> = []
        return values.enumerated().compactMap { index, value in
            let place = "\(place)[\(index)]"
            guard let key = string(value, place, isRequired: true) else { return nil }
            guard let question = questions[key] else {
                // A question that is itself broken was reported already.
                if !questionKeys.contains(key) { fault(place, "file.no_question", ["key": key]) }
                return nil
            }
            if question.possibleRange == nil { fault(place, "file.item_type", ["key": key]) }
            if !seen.insert(key).inserted { fault(place, "file.key_twice", ["key": key]) }
            return key
        }
    }

    /// Items to be added up, and reversed ones above all, must mean the same by the same number.
    private func sameRanges(
        _ items: [String], _ reversed: [String], _ isPercent: Bool, _ place: String,
        _ questions: [String: QuestionnaireDefinition.Question]
    ) {
        guard !reversed.isEmpty || isPercent else { return }
        let ranges = Set(items.compactMap { questions[$0]?.possibleRange }.map { [$0.lowerBound, $0.upperBound] })
        if ranges.count > 1 { fault(place + (reversed.isEmpty ? ".percent" : ".reversed"), "file.ranges") }
    }

    private func scaleRange(_ json: JSON?, _ place: String) -> ClosedRange<Double>? {
        guard let json = present(json), let values = list(json, place) else { return nil }
        let numbers = values.compactMap(\.number)
        guard values.count == 2, numbers.count == 2, numbers[0] < numbers[1] else {
            fault(place, "file.range")
            return nil
        }
        return numbers[0]...numbers[1]
    }

    // MARK: Small pieces

    private func fault(_ place: String, _ key: String, _ values: [String: String] = [:]) {
        faults.append(QuestionnaireFile.Fault(place: place, message: Message(key, values)))
    }

    private func present(_ json: JSON?) -> JSON? { json == .null ? nil : json }

    private func isObject(_ json: JSON, _ place: String) -> Bool {
        if case .object = json { return true }
        fault(place, "file.object")
        return false
    }

    private func known(_ json: JSON, _ place: String, _ names: Set<String>) {
        guard case .object(let members) = json else { return }
        for member in members where !names.contains(member.key) {
            let name = String(member.key.prefix(60))
            fault(place.isEmpty ? name : "\(place).\(name)", "file.unknown_key")
        }
    }

    private func list(_ json: JSON?, _ place: String) -> [JSON]? {
        guard let list = json?.array else {
            fault(place, "file.list")
            return nil
        }
        return list
    }

    private func string(_ json: JSON?, _ place: String, isRequired: Bool = false) -> String? {
        guard let json = present(json) else {
            if isRequired { fault(place, "file.required") }
            return nil
        }
        guard let text = json.string, text.utf8.count <= 20_000 else {
            fault(place, "file.text")
            return nil
        }
        return text
    }

    /// Letters, digits, `_`, `-` and `.`, up to 60.
    private func key(_ json: JSON?, _ place: String) -> String? {
        guard let text = string(json, place, isRequired: true) else { return nil }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
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

    private func number(_ json: JSON?, _ place: String, isRequired: Bool = false) -> Double? {
        guard let json = present(json) else {
            if isRequired { fault(place, "file.required") }
            return nil
        }
        guard let number = json.number, number.isFinite else {
            fault(place, "file.number")
            return nil
        }
        return number
    }

    private func positiveInteger(_ json: JSON?, _ place: String) -> Int? {
        guard let number = number(json, place) else { return nil }
        guard number >= 1, number <= 100_000, number.rounded() == number else {
            fault(place, "file.positive")
            return nil
        }
        return Int(number)
    }

    private func bool(_ json: JSON?, _ place: String) -> Bool? {
        guard let json = present(json) else { return nil }
        if case .bool(let value) = json { return value }
        fault(place, "file.bool")
        return nil
    }

    private func choice(_ json: JSON?, _ place: String, _ choices: [String], isRequired: Bool = false) -> String? {
        guard let text = string(json, place, isRequired: isRequired) else { return nil }
        guard choices.contains(text) else {
            fault(place, "file.choice", ["choices": choices.joined(separator: ", ")])
            return nil
        }
        return text
    }

    /// A text in languages: `{"de": "…", "en": "…"}`.
    private func text(_ json: JSON?, _ place: String, isRequired: Bool = false) -> QuestionnaireDefinition.Text? {
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
            let isLanguage = member.key.utf8.count == 2 && member.key.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7a }
            if !isLanguage { fault("\(place).\(String(member.key.prefix(60)))", "file.language") }
            return string(member.value, "\(place).\(member.key)", isRequired: true).map { (member.key, $0) }
        }
        return QuestionnaireDefinition.Text(translations: translations)
    }
}

extension QuestionnaireDefinition.Question {
    /// The numbers an answer can be; nil for questions that are not answered by one number of a known range.
    var possibleRange: ClosedRange<Double>? {
        switch type {
        case .single:
            let values = options.map(\.value)
            guard let low = values.min(), let high = values.max() else { return nil }
            return low...high
        case .slider(let minimum, let maximum, _): return min(minimum, maximum)...max(minimum, maximum)
        case .sam(_, let minimum, let maximum): return min(minimum, maximum)...max(minimum, maximum)
        case .yesNo: return 0...1
        case .number(let minimum?, let maximum?): return min(minimum, maximum)...max(minimum, maximum)
        case .multiple, .text, .number, .date: return nil
        }
    }
}
