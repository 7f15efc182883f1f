import JSON

/// Reads an item that is a question.
struct FHIRQuestionReader {
    let pieces: FHIRPieces
    let sets: FHIRValueSets

    enum Reading {
        case question(JSON, FHIROptions?)
        /// Its answers stand elsewhere: it cannot be answered here, nor what hangs on it.
        case withoutAnswers
        /// Of a kind that there is none of here.
        case unknown
    }

    func read(_ item: JSON, _ place: String) -> Reading {
        let id = item["linkId"]?.string ?? ""
        let type = item["type"]?.string ?? ""
        let offered = options(item)
        let isChoice = type == "choice" || type == "open-choice"
        let isElsewhere = item["answerValueSet"] != nil || type == "choice"
        if offered == nil, isElsewhere {
            if item["required"] == .bool(true) {
                pieces.fault(place, "exchange.value_set_required")
            } else {
                FHIRItemNotes(pieces: pieces).leaveOut(item, place, "exchange.value_set")
            }
            return .withoutAnswers
        }
        guard let kind = kind(type, item, place, isOffered: offered != nil) else { return .unknown }
        if type == "open-choice", isChoice, offered != nil { pieces.note(place, "exchange.open_choice") }
        let key = FHIRPieces.key(id)
        if key != id { pieces.note(place + ".linkId", "exchange.renamed", ["key": key]) }
        var members: [JSON.Member] = [.init("key", .string(key)), .init("type", .string(kind))]
        if item["required"] == .bool(true) { members.append(.init("required", .bool(true))) }
        let text = pieces.translations(item, "text") ?? pieces.text(key)
        let words = FHIRHelp(pieces: pieces).words(
            text, item, place, hasEnds: kind == "slider" || kind == "sam")
        members.append(.init("text", words))
        let options = offered.map { offered in
            FHIROptions(offered) { pieces.points["\(place).answerOption[\($0)]"] }
        }
        if let options { ask(options, item["text"]?.string ?? key, place) }
        members += details(of: kind, item, place, options)
        for name in ["initial", "maxLength", "prefix"] where item[name] != nil {
            pieces.note("\(place).\(name)", "exchange.left_out")
        }
        return .question(.object(members), options)
    }

    /// The answers it offers; nil where it offers none, or they are not to be had.
    private func options(_ item: JSON) -> [JSON]? {
        let own = FHIRPieces.offered(item)
        let isPossible = !["boolean", "display", "group", "attachment"].contains(item["type"]?.string)
        if !own.isEmpty { return isPossible ? own : nil }
        return item["answerValueSet"]?.string.flatMap { sets.options($0) }
    }

    private func kind(_ type: String, _ item: JSON, _ place: String, isOffered: Bool) -> String? {
        let isRepeated = item["repeats"] == .bool(true)
        if isOffered { return isRepeated ? "multiple" : "single" }
        if isRepeated { pieces.note(place + ".repeats", "exchange.once") }
        switch type {
        case "boolean": return "yes_no"
        case "integer", "decimal", "quantity":
            if type == "quantity",
                FHIRPieces.extensions(item, FHIRWriter.standard + "questionnaire-unit").isEmpty
            {
                pieces.note(place, "exchange.quantity")
            }
            if FHIRPieces.extensions(item, FHIRWriter.own + "sam").first != nil { return "sam" }
            let ends = (limit(item, "minValue"), limit(item, "maxValue"))
            guard FHIRPieces.control(item) == "slider", let low = ends.0, let high = ends.1 else {
                return "number"
            }
            return low < high ? "slider" : "number"
        case "date": return "date"
        case "dateTime":
            pieces.note(place, "exchange.date_time")
            return "date"
        case "string", "text", "url", "time", "open-choice":
            if !["string", "text"].contains(type) { pieces.note(place, "exchange.as_text") }
            return "text"
        default:
            pieces.note(place, "exchange.unknown_type", ["type": String(type.prefix(40))])
            return nil
        }
    }

    private func details(
        of kind: String, _ item: JSON, _ place: String, _ options: FHIROptions?
    ) -> [JSON.Member] {
        var members = alarming(item)
        switch kind {
        case "single", "multiple":
            if let options { members.append(.init("options", .array(written(options, place)))) }
            for (name, url) in [("minimum_choices", "minOccurs"), ("maximum_choices", "maxOccurs")]
            where kind == "multiple" {
                let found = FHIRPieces.extensions(item, FHIRWriter.standard + "questionnaire-" + url).first
                if let count = found?["valueInteger"], count.number ?? 0 > 0 {
                    members.append(.init(name, count))
                }
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

    /// Notes which answers are to be asked about.
    private func ask(_ options: FHIROptions, _ question: String, _ place: String) {
        guard options.list.contains(where: \.saysPoints) else { return }
        for (index, option) in options.list.enumerated() where !option.saysPoints {
            pieces.ask(
                UncountedAnswer(
                    place: "\(place).answerOption[\(index)]", question: question,
                    answer: option.json["valueCoding"]?["display"]?.string ?? option.key))
        }
    }

    private func written(_ options: FHIROptions, _ place: String) -> [JSON] {
        switch options.basis {
        case .mixed: pieces.fault(place + ".answerOption", "exchange.weight_missing", options.missing)
        case .places: pieces.note(place + ".answerOption", "exchange.numbered")
        case .weights, .numbers: break
        }
        let exclusive = FHIRWriter.standard + "questionnaire-optionExclusive"
        return zip(options.list, options.values).enumerated().map { index, pair in
            let (option, value) = pair
            let optionPlace = "\(place).answerOption[\(index)]"
            if option.json["initialSelected"] == .bool(true) {
                pieces.note(optionPlace + ".initialSelected", "exchange.left_out")
            }
            FHIRItemNotes(pieces: pieces).extensions(option.json, optionPlace, .null)
            var members: [JSON.Member] = [
                .init("value", .number(value)), .init("text", option.words(pieces)),
            ]
            if FHIRPieces.extensions(option.json, exclusive).first?["valueBoolean"] == .bool(true) {
                members.append(.init("exclusive", .bool(true)))
            }
            return .object(members)
        }
    }

    private func limit(_ item: JSON, _ name: String) -> Double? {
        let found = FHIRPieces.extensions(item, FHIRWriter.standard + name).first
        return found?["valueInteger"]?.number ?? found?["valueDecimal"]?.number
    }
}
