import JSON

/// Questions as items of the resource.
extension FHIRWriter {
    func question(_ question: QuestionnaireDefinition.Question, _ place: String) -> JSON {
        var extensions: [JSON] = []
        var more: [JSON.Member] = []
        let type = FHIRItemType(question.type)
        switch question.type {
        case .single, .yesNo, .text, .date: break
        case .multiple(let minimum, let maximum):
            more.append(.init("repeats", .bool(true)))
            extensions += occurrences(minimum, maximum)
        case .slider(let minimum, let maximum, let step):
            let isWhole = type == .integer
            extensions += [Self.control("slider")] + ends(minimum, maximum, isWhole)
            if isWhole {
                extensions.append(
                    Self.extended(
                        Self.standard + "questionnaire-sliderStepValue", "valueInteger", .number(step)))
            } else {
                note(place + ".step", "exchange.step")
                extensions.append(Self.extended(Self.own + "step", "valueDecimal", .number(step)))
            }
        case .sam(let aspect, let minimum, let maximum):
            note(place + ".aspect", "exchange.aspect")
            extensions += ends(minimum, maximum, true)
            extensions.append(Self.extended(Self.own + "sam", "valueCode", .string(aspect)))
        case .number(let minimum, let maximum):
            extensions += ends(minimum, maximum, false)
        }
        if let alarming = question.mustBeSeen {
            note(place + ".must_be_seen", "exchange.must_be_seen")
            extensions.append(
                Self.extended(Self.own + "must-be-seen", "valueString", .string(Self.words(alarming))))
        }
        let head: [JSON.Member] = extensions.isEmpty ? [] : [.init("extension", .array(extensions))]
        var members = head + [.init("linkId", .string(question.key))] + text("text", question.text)
        members +=
            [.init("type", .string(type.rawValue)), .init("required", .bool(question.isRequired))] + more
        if !question.options.isEmpty {
            members.append(.init("answerOption", .array(question.options.map(option))))
        }
        let labels = [(FHIRLinks.End.lower, question.minimumLabel), (.upper, question.maximumLabel)]
            .compactMap {
                end, words in
                words.map { label(end, $0, of: question.key) }
            }
        if !labels.isEmpty { members.append(.init("item", .array(labels))) }
        return .object(members)
    }

    /// In the notation of our own reader: `at_least 2`, `any_of 1 3`.
    private static func words(_ alarming: QuestionnaireDefinition.Alarming) -> String {
        switch alarming {
        case .atLeast(let value): "at_least \(FilePieces.words(value))"
        case .anyOf(let values): (["any_of"] + values.map(FilePieces.words)).joined(separator: " ")
        }
    }

    func option(_ option: QuestionnaireDefinition.Option) -> JSON {
        let ordinal = Self.extended(Self.standard + "ordinalValue", "valueDecimal", .number(option.value))
        var coding: [JSON.Member] = [
            .init("extension", .array([ordinal])), .init("code", .string(FilePieces.words(option.value))),
        ]
        coding += text("display", option.text)
        var members: [JSON.Member] = []
        if option.isExclusive {
            let url = Self.standard + "questionnaire-optionExclusive"
            members.append(.init("extension", .array([Self.extended(url, "valueBoolean", .bool(true))])))
        }
        return .object(members + [.init("valueCoding", .object(coding))])
    }

    func occurrences(_ minimum: Int?, _ maximum: Int?) -> [JSON] {
        [("questionnaire-minOccurs", minimum), ("questionnaire-maxOccurs", maximum)].compactMap {
            name, count in
            count.map { Self.extended(Self.standard + name, "valueInteger", .number(Double($0))) }
        }
    }

    func ends(_ minimum: Double?, _ maximum: Double?, _ isWhole: Bool) -> [JSON] {
        let kind = isWhole ? "valueInteger" : "valueDecimal"
        return [("minValue", minimum), ("maxValue", maximum)].compactMap { name, value in
            value.map { Self.extended(Self.standard + name, kind, .number($0)) }
        }
    }

    static func control(_ code: String) -> JSON {
        let coding = JSON.object([
            .init("system", .string("http://hl7.org/fhir/questionnaire-item-control")),
            .init("code", .string(code)),
        ])
        let concept = JSON.object([.init("coding", .array([coding]))])
        return extended(standard + "questionnaire-itemControl", "valueCodeableConcept", concept)
    }

    func label(_ end: FHIRLinks.End, _ words: QuestionnaireDefinition.Text, of key: String) -> JSON {
        let head: [JSON.Member] = [
            .init("extension", .array([Self.control(end.rawValue)])),
            .init("linkId", .string(links.label(end, of: key))),
        ]
        return .object(head + text("text", words) + [.init("type", .string("display"))])
    }
}
