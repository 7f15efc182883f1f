import JSON
import Wire

/// Reads a questionnaire file: head, sections, options, questions.
package final class FileReader {
    package let file = FilePieces()
    private let root: JSON
    private var questionKeys: Set<String> = []
    private var sectionKeys: Set<String> = []
    /// The questions before the present section, for conditions.
    private var earlier: [String: QuestionnaireDefinition.Question] = [:]

    package init(_ root: JSON) { self.root = root }

    private var conditions: ConditionReader {
        ConditionReader(file: file, earlier: earlier, known: questionKeys)
    }

    package func definition() -> QuestionnaireDefinition? {
        guard case .object = root else {
            file.fault("file", "file.object")
            return nil
        }
        file.known(
            root, "",
            [
                "format", "key", "version", "title", "description", "intro", "outro", "citation", "origin",
                "mode", "printable",
                "sections", "scales",
            ])
        if root["format"]?.string != QuestionnaireFile.format {
            file.fault("format", "file.format", ["format": QuestionnaireFile.format])
        }
        let key = file.key(root["key"], "key")
        _ = file.positiveInteger(root["version"], "version")
        let title = file.text(root["title"], "title", isRequired: true)
        let mode =
            file.choice(root["mode"], "mode", ["sheet", "living"]).flatMap(QuestionnaireDefinition.Mode.init)
            ?? .sheet
        let sections = sections()
        let scales = ScaleFileReader(file: file, known: questionKeys).scales(root["scales"], sections)
        guard let key, let title else { return nil }
        return QuestionnaireDefinition(
            key: key, title: title, description: file.text(root["description"], "description"),
            intro: file.text(root["intro"], "intro"), outro: file.text(root["outro"], "outro"),
            citation: file.string(root["citation"], "citation"),
            origin: file.string(root["origin"], "origin"), mode: mode,
            isPrintable: file.bool(root["printable"], "printable") ?? false, sections: sections,
            scales: scales)
    }

    // MARK: Sections

    private func sections() -> [QuestionnaireDefinition.Section] {
        guard let list = file.list(root["sections"], "sections"), !list.isEmpty else {
            if root["sections"]?.array?.isEmpty == true { file.fault("sections", "file.empty") }
            return []
        }
        return list.enumerated().compactMap { index, value in
            let section = section(value, "sections[\(index)]")
            for question in section?.questions ?? [] { earlier[question.key] = question }
            return section
        }
    }

    private func section(_ json: JSON, _ place: String) -> QuestionnaireDefinition.Section? {
        guard file.isObject(json, place) else { return nil }
        file.known(json, place, ["key", "text", "visible_if", "layout", "options", "questions"])
        let key = file.key(json["key"], place + ".key")
        if let key, !sectionKeys.insert(key).inserted {
            file.fault(place + ".key", "file.key_twice", ["key": key])
        }
        let condition = file.present(json["visible_if"]).flatMap {
            conditions.condition($0, place + ".visible_if")
        }
        let layout = file.choice(
            json["layout"], place + ".layout", SectionLayout.allCases.map(\.rawValue))
        let options = options(json["options"], place + ".options") ?? []
        var questions: [QuestionnaireDefinition.Question] = []
        if let values = file.present(json["questions"]).flatMap({ file.list($0, place + ".questions") }) {
            questions = values.enumerated().compactMap { index, value in
                question(value, "\(place).questions[\(index)]", sectionOptions: options)
            }
        }
        guard let key else { return nil }
        let text = file.text(json["text"], place + ".text") ?? QuestionnaireDefinition.Text(translations: [])
        return QuestionnaireDefinition.Section(
            key: key, text: text, visibleIf: condition, layout: layout.flatMap(SectionLayout.init),
            options: options, questions: questions)
    }

    private func options(_ json: JSON?, _ place: String) -> [QuestionnaireDefinition.Option]? {
        guard let json = file.present(json), let values = file.list(json, place) else { return nil }
        var seen: Set<Double> = []
        return values.enumerated().compactMap { index, value in
            let place = "\(place)[\(index)]"
            guard file.isObject(value, place) else { return nil }
            file.known(value, place, ["value", "text", "exclusive"])
            guard let number = file.number(value["value"], place + ".value", isRequired: true),
                let text = file.text(value["text"], place + ".text", isRequired: true)
            else { return nil }
            if !seen.insert(number).inserted {
                file.fault(place + ".value", "file.value_twice", ["value": FilePieces.words(number)])
            }
            let isExclusive = file.bool(value["exclusive"], place + ".exclusive") ?? false
            return QuestionnaireDefinition.Option(value: number, text: text, isExclusive: isExclusive)
        }
    }

    // MARK: Questions

    /// The members allowed for a question's type beside key, type, text and whether it is required.
    package static let allowed: [String: Set<String>] = [
        "single": ["options"], "multiple": ["options", "minimum_choices", "maximum_choices"],
        "slider": ["minimum", "maximum", "step", "minimum_label", "maximum_label"],
        "sam": ["aspect", "minimum", "maximum", "minimum_label", "maximum_label"], "yes_no": [], "text": [],
        "number": ["minimum", "maximum"], "date": [],
    ]
    /// All members that only some types have.
    package static let typed = allowed.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    /// The defaults of a new question by type.
    package static let usual: [String: [(String, JSON)]] = [
        "slider": [("minimum", .number(0)), ("maximum", .number(100)), ("step", .number(1))],
        "sam": [("aspect", .string("valence")), ("minimum", .number(1)), ("maximum", .number(9))],
    ]

    private func question(
        _ json: JSON, _ place: String, sectionOptions: [QuestionnaireDefinition.Option]
    ) -> QuestionnaireDefinition.Question? {
        guard file.isObject(json, place) else { return nil }
        let type = file.choice(json["type"], place + ".type", Self.allowed.keys.sorted(), isRequired: true)
        file.known(
            json, place,
            Set(["key", "type", "required", "text", "must_be_seen"]).union(
                type.flatMap { Self.allowed[$0] } ?? []))
        let key = file.key(json["key"], place + ".key")
        if let key, !questionKeys.insert(key).inserted {
            file.fault(place + ".key", "file.key_twice", ["key": key])
        }
        let text = file.text(json["text"], place + ".text", isRequired: true)
        let own = options(json["options"], place + ".options")
        let options = own ?? sectionOptions
        let isChoice = type == "single" || type == "multiple"
        if isChoice && options.isEmpty { file.fault(place + ".options", "file.no_options") }
        // All of it is read before anything is refused, so that every fault is reported at once.
        let kind = type.flatMap { self.kind($0, json, place, options: options.count) }
        let isRequired = file.bool(json["required"], place + ".required") ?? false
        let low = file.text(json["minimum_label"], place + ".minimum_label")
        let high = file.text(json["maximum_label"], place + ".maximum_label")
        let alarming = file.present(json["must_be_seen"]).flatMap {
            self.alarming($0, place + ".must_be_seen", type, isChoice ? options : [])
        }
        guard let key, let text, let kind else { return nil }
        return QuestionnaireDefinition.Question(
            key: key, type: kind, isRequired: isRequired, text: text, options: isChoice ? options : [],
            hasOwnOptions: own != nil && isChoice, minimumLabel: low, maximumLabel: high,
            mustBeSeen: alarming)
    }

    /// `{"at_least": 2}` or `{"any_of": [1, 3]}`: must be possible values, or it would never apply.
    private func alarming(
        _ json: JSON, _ place: String, _ type: String?, _ options: [QuestionnaireDefinition.Option]
    ) -> QuestionnaireDefinition.Alarming? {
        guard file.isObject(json, place) else { return nil }
        file.known(json, place, ["at_least", "any_of"])
        if type == "text" || type == "date" { file.fault(place, "file.must_be_seen_type") }
        switch (json["at_least"], json["any_of"]) {
        case (let least?, nil):
            guard let value = file.number(least, place + ".at_least", isRequired: true) else { return nil }
            if !options.isEmpty, !options.contains(where: { $0.value >= value }) {
                file.fault(place + ".at_least", "file.condition_value", ["value": FilePieces.words(value)])
            }
            return .atLeast(value)
        case (nil, let list?):
            guard let list = file.list(list, place + ".any_of") else { return nil }
            if list.isEmpty { file.fault(place + ".any_of", "file.empty") }
            let values = list.enumerated().compactMap {
                file.number($0.element, "\(place).any_of[\($0.offset)]", isRequired: true)
            }
            for value in values where !options.isEmpty && !options.contains(where: { $0.value == value }) {
                file.fault(place + ".any_of", "file.condition_value", ["value": FilePieces.words(value)])
            }
            return .anyOf(values)
        default:
            file.fault(place, "file.must_be_seen")
            return nil
        }
    }

    private func kind(_ type: String, _ json: JSON, _ place: String, options: Int) -> QuestionnaireDefinition
        .Kind?
    {
        switch type {
        case "single": return .single
        case "multiple":
            let minimum = file.positiveInteger(json["minimum_choices"], place + ".minimum_choices")
            let maximum = file.positiveInteger(json["maximum_choices"], place + ".maximum_choices")
            if minimum ?? 0 > maximum ?? options { file.fault(place + ".minimum_choices", "file.choices") }
            if maximum ?? 0 > options { file.fault(place + ".maximum_choices", "file.choices") }
            return .multiple(minimum: minimum, maximum: maximum)
        case "slider":
            guard let range = range(json, place, isRequired: true) else { return nil }
            let step = file.number(json["step"], place + ".step") ?? 1
            if step <= 0 || step > range.1 - range.0 { file.fault(place + ".step", "file.step") }
            return .slider(minimum: range.0, maximum: range.1, step: step)
        case "sam":
            guard let range = range(json, place, isRequired: true) else { return nil }
            // Pictures in a row: whole steps, as many as a row can hold.
            let isRow =
                range.0.rounded() == range.0 && range.1.rounded() == range.1 && range.1 - range.0 <= 20
            if !isRow { file.fault(place + ".maximum", "file.sam") }
            let aspect = file.choice(
                json["aspect"], place + ".aspect", ["valence", "arousal"], isRequired: true)
            return .sam(aspect: aspect ?? "", minimum: range.0, maximum: range.1)
        case "yes_no": return .yesNo
        case "number":
            let minimum = file.number(json["minimum"], place + ".minimum")
            let maximum = file.number(json["maximum"], place + ".maximum")
            if let minimum, let maximum, minimum >= maximum { file.fault(place + ".maximum", "file.range") }
            return .number(minimum: minimum, maximum: maximum)
        case "date": return .date
        default: return .text
        }
    }

    private func range(_ json: JSON, _ place: String, isRequired: Bool) -> (Double, Double)? {
        guard let minimum = file.number(json["minimum"], place + ".minimum", isRequired: isRequired),
            let maximum = file.number(json["maximum"], place + ".maximum", isRequired: isRequired)
        else { return nil }
        if minimum >= maximum { file.fault(place + ".maximum", "file.range") }
        return (minimum, maximum)
    }
}
