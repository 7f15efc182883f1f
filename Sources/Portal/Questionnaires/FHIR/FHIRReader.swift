import HTTP
import Wire

/// Reads a FHIR R4 `Questionnaire` into our file format. Items become sections and questions, `enableWhen` becomes
/// conditions; what our format has no place for is told, item by item, and left out.
final class FHIRReader {
    private let root: JSON
    private let language: String
    private(set) var notes: [ExchangeNote] = []
    private var sections: [JSON] = []
    private var sectionKeys: Set<String> = []
    /// The questions read so far with their types and options, for conditions.
    private var questions: [String: JSON] = [:]

    private init(_ root: JSON) {
        self.root = root
        language = root["language"]?.string.map { String($0.prefix(2)).lowercased() } ?? "en"
    }

    static func isFHIR(_ json: JSON) -> Bool { json["resourceType"] != nil }

    /// - Returns: a file, whose faults are found by `QuestionnaireFile`, and what was left out.
    /// - Throws: `Faults` when it is another kind of resource.
    static func read(_ json: JSON) throws(QuestionnaireFile.Faults) -> (file: JSON, notes: [ExchangeNote]) {
        guard json["resourceType"]?.string == "Questionnaire" else {
            let message = Message("exchange.other_resource")
            throw QuestionnaireFile.Faults(list: [.init(place: "resourceType", message: message)])
        }
        let reader = FHIRReader(json)
        let file = reader.file()
        return (file, reader.notes)
    }

    private func note(_ place: String, _ key: String, _ values: [String: String] = [:]) {
        if notes.count < 200 { notes.append(ExchangeNote(place: place, message: Message(key, values))) }
    }

    // MARK: The whole

    private func file() -> JSON {
        for (index, item) in (root["item"]?.array ?? []).enumerated() {
            read(item, place: "item[\(index)]", parent: nil, depth: 0)
        }
        var members: [JSON.Member] = [
            .init("format", .string(QuestionnaireFile.format)), .init("key", .string(key)),
        ]
        if let version = root["version"]?.string.flatMap(Int.init), version > 0 {
            members.append(.init("version", .number(Double(version))))
        }
        let title = translations(root, "title") ?? text(root["name"]?.string ?? key)
        members.append(.init("title", title))
        if let about = translations(root, "description") { members.append(.init("description", about)) }
        for name in ["intro", "outro"] { if let words = frame[name] { members.append(.init(name, words)) } }
        if let copyright = root["copyright"]?.string { members.append(.init("citation", .string(copyright))) }
        let origin =
            Self.extensions(root, FHIRWriter.own + "origin").first?["valueString"]
            ?? root["publisher"]
        if let origin { members.append(.init("origin", origin)) }
        if Self.extensions(root, FHIRWriter.own + "mode").first?["valueCode"]?.string == "living" {
            members.append(.init("mode", .string("living")))
        }
        members.append(.init("sections", .array(sections)))
        let scales = Self.extensions(root, FHIRWriter.own + "scale").compactMap { found in
            found["valueString"]?.string.flatMap { try? JSON.parse(Array($0.utf8)) }
        }
        if !scales.isEmpty { members.append(.init("scales", .array(scales))) }
        for member in Self.members(root) where member.key == "modifierExtension" {
            note(member.key, "exchange.modifier")
        }
        return .object(members)
    }

    private var frame: [String: JSON] = [:]

    private var key: String {
        let own = (root["identifier"]?.array ?? []).first { $0["system"]?.string == FHIRWriter.own + "key" }
        return Self.key(own?["value"]?.string ?? root["name"]?.string ?? root["id"]?.string ?? "fhir")
    }

    /// Letters, digits, dot, dash and underscore, up to 60.
    private static func key(_ text: String) -> String {
        let allowed = text.unicodeScalars.map { scalar -> Character in
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isPlain || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
        }
        return allowed.isEmpty ? "q" : String(String(allowed).prefix(60))
    }

    // MARK: Items

    /// - Parameter parent: what must hold for the group around it.
    private func read(_ item: JSON, place: String, parent: JSON?, depth: Int) {
        guard depth < 20 else { return note(place, "exchange.deep") }
        let (id, type) = (item["linkId"]?.string ?? "", item["type"]?.string ?? "")
        if type == "display", id == "_intro" || id == "_outro" {
            frame[String(id.dropFirst())] = translations(item, "text")
            return
        }
        let condition = both(parent, condition(of: item, place))
        switch type {
        case "group": group(item, place, condition, depth)
        case "display": append(item, questions: [], condition)
        default:
            guard let question = question(item, place) else { return }
            // A question outside of any group stands in a section of its own.
            append(nil, questions: [question], condition)
            nested(item, place, condition, depth)
        }
    }

    /// A group becomes a section; inner groups and questions with a condition of their own become sections behind it.
    private func group(_ item: JSON, _ place: String, _ condition: JSON?, _ depth: Int) {
        var open: [JSON] = []
        var isFirst = true
        let flush = {
            if isFirst || !open.isEmpty { self.append(isFirst ? item : nil, questions: open, condition) }
            (isFirst, open) = (false, [])
        }
        for (index, inner) in (item["item"]?.array ?? []).enumerated() {
            let innerPlace = "\(place).item[\(index)]"
            let type = inner["type"]?.string ?? ""
            let isOwnSection = type == "group" || type == "display" || inner["enableWhen"] != nil
            if isOwnSection {
                flush()
                read(inner, place: innerPlace, parent: condition, depth: depth + 1)
            } else if let question = question(inner, innerPlace) {
                open.append(question)
                if hasRealChildren(inner) {
                    flush()
                    nested(inner, innerPlace, condition, depth)
                }
            }
        }
        flush()
    }

    /// Items below a question follow it.
    private func nested(_ item: JSON, _ place: String, _ condition: JSON?, _ depth: Int) {
        for (index, inner) in (item["item"]?.array ?? []).enumerated() where Self.control(inner) == nil {
            read(inner, place: "\(place).item[\(index)]", parent: condition, depth: depth + 1)
        }
    }

    private func hasRealChildren(_ item: JSON) -> Bool {
        (item["item"]?.array ?? []).contains { Self.control($0) == nil }
    }

    private func append(_ item: JSON?, questions: [JSON], _ condition: JSON?) {
        let id = item?["linkId"]?.string.map {
            $0.hasPrefix(FHIRWriter.sectionPrefix) ? String($0.dropFirst(FHIRWriter.sectionPrefix.count)) : $0
        }
        var key = Self.key(id ?? "s\(sections.count + 1)")
        if sectionKeys.contains(key) { key = "s\(sections.count + 1)" }
        while !sectionKeys.insert(key).inserted { key += "_" }
        var members: [JSON.Member] = [.init("key", .string(key))]
        if let item, let words = translations(item, "text") { members.append(.init("text", words)) }
        if let condition { members.append(.init("visible_if", condition)) }
        // Options that all choices share are the section's.
        let shared = questions.compactMap { $0["options"] }
        let isShared = shared.count > 1 && shared.allSatisfy { $0 == shared[0] }
        if isShared { members.append(.init("options", shared[0])) }
        let list = isShared ? questions.map { $0.setting(DocumentPath("options"), nil) } : questions
        members.append(.init("questions", .array(list)))
        sections.append(.object(members))
    }

    // MARK: Questions

    private func question(_ item: JSON, _ place: String) -> JSON? {
        let (id, type) = (item["linkId"]?.string ?? "", item["type"]?.string ?? "")
        guard let kind = kind(type, item, place) else { return nil }
        let key = Self.key(id)
        if key != id { note(place + ".linkId", "exchange.renamed", ["key": key]) }
        var members: [JSON.Member] = [.init("key", .string(key)), .init("type", .string(kind))]
        if item["required"] == .bool(true) { members.append(.init("required", .bool(true))) }
        members.append(.init("text", translations(item, "text") ?? text(key)))
        members += details(kind, item, place)
        for name in ["initial", "readOnly", "maxLength", "prefix", "answerValueSet"] where item[name] != nil {
            note("\(place).\(name)", "exchange.left_out")
        }
        let question = JSON.object(members)
        questions[id] = question
        return question
    }

    private func kind(_ type: String, _ item: JSON, _ place: String) -> String? {
        let isRepeated = item["repeats"] == .bool(true)
        if isRepeated && type != "choice" && type != "open-choice" {
            note(place + ".repeats", "exchange.left_out")
        }
        switch type {
        case "choice", "open-choice":
            if type == "open-choice" { note(place, "exchange.open_choice") }
            return isRepeated ? "multiple" : "single"
        case "boolean": return "yes_no"
        case "integer", "decimal", "quantity":
            if type == "quantity" { note(place, "exchange.quantity") }
            if Self.extensions(item, FHIRWriter.own + "sam").first != nil { return "sam" }
            let hasEnds = limit(item, "minValue") != nil && limit(item, "maxValue") != nil
            return Self.control(item) == "slider" && hasEnds ? "slider" : "number"
        case "date": return "date"
        case "dateTime":
            note(place, "exchange.date_time")
            return "date"
        case "string", "text", "url", "time":
            if type == "url" || type == "time" { note(place, "exchange.as_text") }
            return "text"
        default:
            note(place, "exchange.unknown_type", ["type": String(type.prefix(40))])
            return nil
        }
    }

    private func details(_ kind: String, _ item: JSON, _ place: String) -> [JSON.Member] {
        var members: [JSON.Member] = []
        switch kind {
        case "single", "multiple":
            members.append(.init("options", .array(options(item, place))))
            for (name, url) in [("minimum_choices", "minOccurs"), ("maximum_choices", "maxOccurs")]
            where kind == "multiple" {
                let found = Self.extensions(item, FHIRWriter.standard + "questionnaire-" + url).first
                if let count = found?["valueInteger"] { members.append(.init(name, count)) }
            }
        case "sam", "slider", "number":
            for (name, url) in [("minimum", "minValue"), ("maximum", "maxValue")] {
                if let value = limit(item, url) { members.append(.init(name, .number(value))) }
            }
            if kind == "slider" {
                let whole = Self.extensions(item, FHIRWriter.standard + "questionnaire-sliderStepValue").first
                let own = Self.extensions(item, FHIRWriter.own + "step").first
                if let step = own?["valueDecimal"] ?? whole?["valueInteger"] {
                    members.append(.init("step", step))
                }
            }
            if kind == "sam", let aspect = Self.extensions(item, FHIRWriter.own + "sam").first?["valueCode"] {
                members.append(.init("aspect", aspect))
            }
            guard kind != "number" else { break }
            for (name, end) in [("minimum_label", "lower"), ("maximum_label", "upper")] {
                let label = (item["item"]?.array ?? []).first { Self.control($0) == end }
                if let words = label.flatMap({ translations($0, "text") }) {
                    members.append(.init(name, words))
                }
            }
        default: break
        }
        return members
    }

    private func options(_ item: JSON, _ place: String) -> [JSON] {
        let list = item["answerOption"]?.array ?? []
        // Without ordinals, options count by their numbers if all have one, else by their place.
        let coded = list.map { Self.ordinal($0) }
        let isNumbered = !coded.contains(nil)
        if !isNumbered { note(place + ".answerOption", "exchange.numbered") }
        return list.enumerated().map { index, option in
            let coding = option["valueCoding"] ?? .object([])
            let plain =
                option["valueString"]?.string ?? option["valueInteger"]?.number.map(FilePieces.words)
                ?? option["valueDate"]?.string ?? option["valueTime"]?.string
            let words = translations(coding, "display") ?? text(plain ?? coding["code"]?.string ?? "")
            let value = isNumbered ? coded[index] ?? 0 : Double(index)
            var members: [JSON.Member] = [.init("value", .number(value)), .init("text", words)]
            let exclusive = Self.extensions(option, FHIRWriter.standard + "questionnaire-optionExclusive")
                .first
            if exclusive?["valueBoolean"] == .bool(true) { members.append(.init("exclusive", .bool(true))) }
            return .object(members)
        }
    }

    private static func ordinal(_ option: JSON) -> Double? {
        let url = FHIRWriter.standard + "ordinalValue"
        let found = extensions(option["valueCoding"] ?? .null, url) + extensions(option, url)
        if let value = found.first?["valueDecimal"]?.number { return value }
        if let value = option["valueInteger"]?.number { return value }
        return option["valueCoding"]?["code"]?.string.flatMap { Double($0) }
    }

    private func limit(_ item: JSON, _ name: String) -> Double? {
        let found = Self.extensions(item, FHIRWriter.standard + name).first
        return found?["valueInteger"]?.number ?? found?["valueDecimal"]?.number
    }

    // MARK: Conditions

    private func both(_ first: JSON?, _ second: JSON?) -> JSON? {
        guard let first, let second else { return first ?? second }
        return .object([.init("all", .array([first, second]))])
    }

    private func condition(of item: JSON, _ place: String) -> JSON? {
        let reader = FHIRConditionReader(questions: questions)
        let own = Self.extensions(item, FHIRWriter.own + "visible-if").first?["valueString"]?.string
        if let own, let json = try? JSON.parse(Array(own.utf8)) { return json }
        let list = item["enableWhen"]?.array ?? []
        let parts = list.enumerated().compactMap { index, when -> JSON? in
            let part = reader.comparison(when)
            if part == nil { note("\(place).enableWhen[\(index)]", "exchange.when") }
            return part
        }
        guard parts.count > 1 else { return parts.first }
        let behaviour = item["enableBehavior"]?.string == "all" ? "all" : "any"
        return .object([.init(behaviour, .array(parts))])
    }

    // MARK: Pieces

    static func members(_ json: JSON) -> [JSON.Member] {
        if case .object(let members) = json { return members }
        return []
    }

    private static func extensions(_ json: JSON, _ url: String) -> [JSON] {
        (json["extension"]?.array ?? []).filter { $0["url"]?.string == url }
    }

    private static func control(_ item: JSON) -> String? {
        let found = extensions(item, FHIRWriter.standard + "questionnaire-itemControl").first
        return found?["valueCodeableConcept"]?["coding"]?.array?.first?["code"]?.string
    }

    private func text(_ words: String) -> JSON { .object([.init(language, .string(words))]) }

    private func translations(_ json: JSON, _ name: String) -> JSON? {
        guard let plain = json[name]?.string, !plain.isEmpty else { return nil }
        var members: [JSON.Member] = []
        for found in Self.extensions(json["_" + name] ?? .null, FHIRWriter.standard + "translation") {
            let parts = found["extension"]?.array ?? []
            let code = parts.first { $0["url"]?.string == "lang" }?["valueCode"]?.string
            let words = parts.first { $0["url"]?.string == "content" }
            if let code, let text = words?["valueString"]?.string ?? words?["valueMarkdown"]?.string {
                members.append(.init(String(code.prefix(2)).lowercased(), .string(text)))
            }
        }
        // The plain text is in the questionnaire's language, unless it says that it is in another.
        let other = Self.extensions(json["_" + name] ?? .null, FHIRWriter.own + "language").first
        let code = other?["valueCode"]?.string ?? language
        if !members.contains(where: { $0.key == code }) { members.insert(.init(code, .string(plain)), at: 0) }
        return .object(members)
    }
}
