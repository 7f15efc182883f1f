import JSON

/// Notes what an item says beyond what we read of it: everything that changes who sees what, and when.
struct FHIRItemNotes {
    let pieces: FHIRPieces

    /// Why an item is not asked; nil for one that is.
    static func reason(_ item: JSON) -> String? {
        let usage = FHIRPieces.extensions(item, FHIRWriter.standard + "questionnaire-usageMode").first?[
            "valueCode"]?.string
        if FHIRPieces.isHidden(item) { return "exchange.hidden" }
        if usage == "display" || usage == "display-non-empty" { return "exchange.display_only" }
        if item["readOnly"] == .bool(true), item["type"] != .string("display") {
            return "exchange.read_only"
        }
        return nil
    }

    /// Notes an item that is left out, and each below it.
    func leaveOut(_ item: JSON, _ place: String, _ reason: String) {
        pieces.note(place, reason)
        for (index, inner) in (item["item"]?.array ?? []).enumerated() {
            leaveOut(inner, "\(place).item[\(index)]", "exchange.left_below")
        }
    }

    // MARK: Members

    private static let members: Set<String> = [
        "id", "linkId", "definition", "code", "prefix", "text", "type", "enableWhen", "enableBehavior",
        "required", "repeats", "readOnly", "maxLength", "answerValueSet", "answerOption", "initial", "item",
        "extension", "modifierExtension",
    ]

    func note(_ item: JSON, _ place: String) {
        for member in FHIRPieces.members(item) {
            switch member.key {
            case "modifierExtension": pieces.note("\(place).modifierExtension", "exchange.modifier")
            case _ where member.key.hasPrefix("_"):
                extensions(member.value, "\(place).\(member.key)", item)
            case _ where !Self.members.contains(member.key):
                pieces.note("\(place).\(member.key.prefix(60))", "exchange.left_out")
            default: break
            }
        }
        extensions(item, place, item)
        if item["repeats"] == .bool(true), item["type"] == .string("group") {
            pieces.note(place + ".repeats", "exchange.once")
        }
    }

    // MARK: Extensions

    /// What else reads, or what changes the look alone.
    private static let quiet: Set<String> = [
        "translation", "questionnaire-hidden", "questionnaire-usageMode", "questionnaire-itemControl",
        "questionnaire-sliderStepValue", "questionnaire-optionExclusive", "questionnaire-unit", "variable",
        "ordinalValue", "itemWeight", "questionnaire-ordinalValue", "questionnaire-optionScore",
        "codesystem-ordinalValue", "valueset-ordinalValue", "sdc-questionnaire-calculatedExpression",
        "questionnaire-choiceOrientation", "questionnaire-displayCategory", "rendering-style",
        "rendering-xhtml", "rendering-markdown", "rendering-styleSensitive", "designNote",
        "questionnaire-shortText", "sdc-questionnaire-shortText", "sdc-questionnaire-width",
        "sdc-questionnaire-columnCount", "sdc-questionnaire-openLabel", "questionnaire-optionPrefix",
        "sdc-questionnaire-choiceColumn", "sdc-questionnaire-preferredTerminologyServer",
        "sdc-questionnaire-observationExtract", "sdc-questionnaire-observation-extract-category",
        "sdc-questionnaire-observationLinkPeriod", "sdc-questionnaire-itemExtractionContext",
        "sdc-questionnaire-performerType", "sdc-questionnaire-assemble-expectation",
        "sdc-questionnaire-endpoint", "questionnaire-baseType", "terminology-server",
    ]

    /// Those that mean something of their own for the person who answers.
    private static let told = [
        "sdc-questionnaire-enableWhenExpression": "exchange.when_expression", "regex": "exchange.unchecked",
        "minValue": "exchange.unchecked", "maxValue": "exchange.unchecked", "minLength": "exchange.unchecked",
        "maxDecimalPlaces": "exchange.unchecked", "maxSize": "exchange.unchecked",
        "mimeType": "exchange.unchecked", "questionnaire-constraint": "exchange.unchecked",
        "targetConstraint": "exchange.unchecked", "sdc-questionnaire-minQuantity": "exchange.unchecked",
        "sdc-questionnaire-maxQuantity": "exchange.unchecked",
        "questionnaire-minOccurs": "exchange.unchecked",
        "questionnaire-maxOccurs": "exchange.unchecked",
        "sdc-questionnaire-initialExpression": "exchange.not_filled",
        "cqf-calculatedValue": "exchange.not_filled", "cqf-expression": "exchange.words_computed",
        "sdc-questionnaire-answerExpression": "exchange.options_computed",
        "sdc-questionnaire-candidateExpression": "exchange.options_computed",
        "sdc-questionnaire-answerOptionsToggleExpression": "exchange.options_computed",
        "sdc-questionnaire-itemMedia": "exchange.media",
        "sdc-questionnaire-itemAnswerMedia": "exchange.media",
    ]

    /// - Parameter item: the item around, which says whether a limit is read.
    func extensions(_ json: JSON, _ place: String, _ item: JSON) {
        for found in json["extension"]?.array ?? [] {
            let url = found["url"]?.string ?? ""
            if url.hasPrefix(FHIRWriter.own) { continue }
            let name = String(url.split(separator: "/").last?.prefix(60) ?? "?")
            if Self.quiet.contains(name) || isRead(name, found, item) { continue }
            pieces.note(place, Self.told[name] ?? "exchange.extension", ["name": name])
        }
    }

    private func isRead(_ name: String, _ found: JSON, _ item: JSON) -> Bool {
        switch name {
        case "minValue", "maxValue":
            let isNumber = ["integer", "decimal", "quantity"].contains(item["type"]?.string)
            return isNumber && (found["valueInteger"] ?? found["valueDecimal"]) != nil
        case "questionnaire-minOccurs", "questionnaire-maxOccurs":
            let isList = !FHIRPieces.offered(item).isEmpty || item["answerValueSet"] != nil
            return isList && item["repeats"] == .bool(true) || found["valueInteger"]?.number ?? 0 <= 1
        default: return false
        }
    }
}

/// The words that stand with a question in another item: help, a unit, an instruction.
struct FHIRHelp {
    let pieces: FHIRPieces

    private static let beside: Set<String> = [
        "help", "flyover", "inline", "prompt", "legal", "lower", "upper",
    ]

    /// Whether an item below a question says something about it, instead of being asked after it.
    static func isBeside(_ item: JSON) -> Bool {
        guard item["type"]?.string == "display", item["enableWhen"] == nil,
            let control = FHIRPieces.control(item)
        else { return false }
        return beside.contains(control) || control == "unit"
    }

    /// The question's words with those beside it, each noted at its item.
    /// - Parameter hasEnds: whether the question names its own ends.
    func words(_ text: JSON, _ item: JSON, _ place: String, hasEnds: Bool) -> JSON {
        var words = text
        let unit = FHIRPieces.extensions(item, FHIRWriter.standard + "questionnaire-unit").first?[
            "valueCoding"]
        if let unit, let name = unit["display"]?.string ?? unit["code"]?.string {
            let texts = pieces.translations(unit, "display") ?? pieces.text(name)
            words = joined(words, texts, between: " (", after: ")")
            pieces.note(place, "exchange.unit", ["name": name])
        }
        for (index, inner) in (item["item"]?.array ?? []).enumerated() where Self.isBeside(inner) {
            let control = FHIRPieces.control(inner) ?? ""
            let innerPlace = "\(place).item[\(index)]"
            if hasEnds && (control == "lower" || control == "upper") { continue }
            if let reason = FHIRItemNotes.reason(inner) {
                FHIRItemNotes(pieces: pieces).leaveOut(inner, innerPlace, reason)
                continue
            }
            guard let more = pieces.translations(inner, "text") else { continue }
            words =
                control == "unit"
                ? joined(words, more, between: " (", after: ")") : joined(words, more, between: "\n\n")
            pieces.note(innerPlace, "exchange.beside")
        }
        return words
    }

    /// In each language of the first; one that the second lacks gets the second's first.
    private func joined(_ first: JSON, _ second: JSON, between before: String, after: String = "") -> JSON {
        .object(
            FHIRPieces.members(first).map { member in
                let more = second[member.key]?.string ?? FHIRPieces.members(second).first?.value.string ?? ""
                return .init(member.key, .string((member.value.string ?? "") + before + more + after))
            })
    }
}
