import JSON

/// Reads an item that is a question.
struct FHIRQuestionReader {
    let pieces: FHIRPieces

    /// Nil for an unsupported kind, with a note.
    func question(_ item: JSON, _ place: String) -> JSON? {
        let id = item["linkId"]?.string ?? ""
        let type = item["type"]?.string ?? ""
        guard let kind = kind(type, item, place) else { return nil }
        let key = FHIRPieces.key(id)
        if key != id { pieces.note(place + ".linkId", "exchange.renamed", ["key": key]) }
        var members: [JSON.Member] = [.init("key", .string(key)), .init("type", .string(kind))]
        if item["required"] == .bool(true) { members.append(.init("required", .bool(true))) }
        members.append(.init("text", pieces.translations(item, "text") ?? pieces.text(key)))
        members += details(kind, item, place)
        for name in ["initial", "readOnly", "maxLength", "prefix", "answerValueSet"] where item[name] != nil {
            pieces.note("\(place).\(name)", "exchange.left_out")
        }
        return .object(members)
    }

    private func kind(_ type: String, _ item: JSON, _ place: String) -> String? {
        let isRepeated = item["repeats"] == .bool(true)
        if isRepeated && type != "choice" && type != "open-choice" {
            pieces.note(place + ".repeats", "exchange.left_out")
        }
        switch type {
        case "choice", "open-choice":
            if item["answerOption"]?.array?.isEmpty ?? true {
                pieces.note(place, "exchange.value_set")
                return "text"
            }
            if type == "open-choice" { pieces.note(place, "exchange.open_choice") }
            return isRepeated ? "multiple" : "single"
        case "boolean": return "yes_no"
        case "integer", "decimal", "quantity":
            if type == "quantity" { pieces.note(place, "exchange.quantity") }
            if FHIRPieces.extensions(item, FHIRWriter.own + "sam").first != nil { return "sam" }
            let hasEnds = limit(item, "minValue") != nil && limit(item, "maxValue") != nil
            return FHIRPieces.control(item) == "slider" && hasEnds ? "slider" : "number"
        case "date": return "date"
        case "dateTime":
            pieces.note(place, "exchange.date_time")
            return "date"
        case "string", "text", "url", "time":
            if type == "url" || type == "time" { pieces.note(place, "exchange.as_text") }
            return "text"
        default:
            pieces.note(place, "exchange.unknown_type", ["type": String(type.prefix(40))])
            return nil
        }
    }

    private func details(_ kind: String, _ item: JSON, _ place: String) -> [JSON.Member] {
        var members = alarming(item)
        switch kind {
        case "single", "multiple":
            members.append(.init("options", .array(options(item, place))))
            for (name, url) in [("minimum_choices", "minOccurs"), ("maximum_choices", "maxOccurs")]
            where kind == "multiple" {
                let found = FHIRPieces.extensions(item, FHIRWriter.standard + "questionnaire-" + url).first
                if let count = found?["valueInteger"] { members.append(.init(name, count)) }
            }
        case "sam", "slider", "number":
            for (name, url) in [("minimum", "minValue"), ("maximum", "maxValue")] {
                if let value = limit(item, url) { members.append(.init(name, .number(value))) }
            }
            if kind == "slider" {
                let whole = FHIRPieces.extensions(item, FHIRWriter.standard + "questionnaire-sliderStepValue")
                    .first
                let own = FHIRPieces.extensions(item, FHIRWriter.own + "step").first
                if let step = own?["valueDecimal"] ?? whole?["valueInteger"] {
                    members.append(.init("step", step))
                }
            }
            if kind == "sam",
                let aspect = FHIRPieces.extensions(item, FHIRWriter.own + "sam").first?["valueCode"]
            {
                members.append(.init("aspect", aspect))
            }
            guard kind != "number" else { break }
            for (name, end) in [("minimum_label", "lower"), ("maximum_label", "upper")] {
                let label = (item["item"]?.array ?? []).first { FHIRPieces.control($0) == end }
                if let words = label.flatMap({ pieces.translations($0, "text") }) {
                    members.append(.init(name, words))
                }
            }
        default: break
        }
        return members
    }

    private func alarming(_ item: JSON) -> [JSON.Member] {
        let found = FHIRPieces.extensions(item, FHIRWriter.own + "must-be-seen").first
        let words = found?["valueString"]?.string?.split(separator: " ") ?? []
        let values = words.dropFirst().compactMap { Double($0) }
        switch (words.first, values.first) {
        case ("at_least", let value?):
            return [.init("must_be_seen", .object([.init("at_least", .number(value))]))]
        case ("any_of", _?):
            return [.init("must_be_seen", .object([.init("any_of", .array(values.map { .number($0) }))]))]
        default: return []
        }
    }

    private func options(_ item: JSON, _ place: String) -> [JSON] {
        let list = item["answerOption"]?.array ?? []
        // Without ordinals, options count by their numbers if all have one, else by their position.
        let coded = list.map { Self.ordinal($0) }
        let isNumbered = !coded.contains(nil)
        if !isNumbered { pieces.note(place + ".answerOption", "exchange.numbered") }
        return list.enumerated().map { index, option in
            let coding = option["valueCoding"] ?? .object([])
            let plain =
                option["valueString"]?.string ?? option["valueInteger"]?.number.map(FilePieces.words)
                ?? option["valueDate"]?.string ?? option["valueTime"]?.string
            let words =
                pieces.translations(coding, "display") ?? pieces.text(plain ?? coding["code"]?.string ?? "")
            let value = isNumbered ? coded[index] ?? 0 : Double(index)
            var members: [JSON.Member] = [.init("value", .number(value)), .init("text", words)]
            let exclusive = FHIRPieces.extensions(
                option, FHIRWriter.standard + "questionnaire-optionExclusive"
            )
            .first
            if exclusive?["valueBoolean"] == .bool(true) { members.append(.init("exclusive", .bool(true))) }
            return .object(members)
        }
    }

    private static func ordinal(_ option: JSON) -> Double? {
        let url = FHIRWriter.standard + "ordinalValue"
        let found =
            FHIRPieces.extensions(option["valueCoding"] ?? .null, url) + FHIRPieces.extensions(option, url)
        if let value = found.first?["valueDecimal"]?.number { return value }
        if let value = option["valueInteger"]?.number { return value }
        return option["valueCoding"]?["code"]?.string.flatMap(FHIRPieces.number)
    }

    private func limit(_ item: JSON, _ name: String) -> Double? {
        let found = FHIRPieces.extensions(item, FHIRWriter.standard + name).first
        return found?["valueInteger"]?.number ?? found?["valueDecimal"]?.number
    }

    /// The value of each option by its code, or by its text without a code.
    static func codes(_ item: JSON) -> [String: Double] {
        let list = item["answerOption"]?.array ?? []
        let coded = list.map { ordinal($0) }
        let isNumbered = !coded.contains(nil)
        var codes: [String: Double] = [:]
        for (index, option) in list.enumerated() {
            let code = option["valueCoding"]?["code"]?.string ?? option["valueString"]?.string
            if let code { codes[code] = isNumbered ? coded[index] ?? 0 : Double(index) }
        }
        return codes
    }
}
