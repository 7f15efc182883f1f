import Wire
import Wording

extension QuestionnaireDefinition {
    /// The language for the whole of it, for a reader of these, the best first.
    package func language(asked: [Language]) -> String { language(asked: asked.map(\.rawValue)) }

    /// The questionnaire in one language, as a phone shows it.
    package func wire(version: Int, asked: [Language]) -> Wire.Questionnaire {
        let language = language(asked: asked)
        let say = { (text: Text?) in text.flatMap { $0[language] } }
        return Wire.Questionnaire(
            key: key, version: version, title: say(title) ?? key, description: say(description),
            intro: say(intro),
            outro: say(outro), citation: citation, origin: origin, mode: mode.rawValue,
            sections: sections.map { $0.wire(language) },
            scales: scales.map { $0.wire(language) })
    }
}

extension Scale {
    fileprivate func wire(_ language: String) -> Wire.Questionnaire.Scale {
        var wire = Wire.Questionnaire.Scale(
            key: key, title: title[language] ?? key, method: method.rawValue, items: items)
        wire.reversed = items.filter(reversed.contains)
        wire.factor = factor
        wire.percent = isPercent
        wire.minimumAnswered = minimumAnswered
        wire.higherIsWorse = higherIsWorse
        wire.range = range.map { [$0.lowerBound, $0.upperBound] }
        wire.cutoff = cutoff
        wire.reliability = reliability
        wire.standardDeviation = standardDeviation
        return wire
    }
}

extension QuestionnaireDefinition.Section {
    fileprivate func wire(_ language: String) -> Wire.Questionnaire.Section {
        var wire = Wire.Questionnaire.Section(
            key: key, text: text[language] ?? "", visibleIf: visibleIf,
            options: options.isEmpty ? nil : options.map { $0.wire(language) },
            questions: questions.map { $0.wire(language) })
        wire.layout = layout?.rawValue
        return wire
    }
}

extension QuestionnaireDefinition.Option {
    fileprivate func wire(_ language: String) -> Wire.Questionnaire.Option {
        Wire.Questionnaire.Option(value: value, text: text[language] ?? "", exclusive: isExclusive)
    }
}

extension QuestionnaireDefinition.Question {
    fileprivate func wire(_ language: String) -> Wire.Questionnaire.Question {
        var wire = Wire.Questionnaire.Question(
            key: key, type: type.name, required: isRequired, text: text[language] ?? "",
            options: hasOwnOptions ? options.map { $0.wire(language) } : nil, minimum: nil, maximum: nil,
            step: nil,
            minimumLabel: minimumLabel?[language], maximumLabel: maximumLabel?[language], minimumChoices: nil,
            maximumChoices: nil, aspect: nil)
        switch type {
        case .multiple(let minimum, let maximum):
            wire.minimumChoices = minimum
            wire.maximumChoices = maximum
        case .slider(let minimum, let maximum, let step):
            wire.minimum = minimum
            wire.maximum = maximum
            wire.step = step
        case .sam(let aspect, let minimum, let maximum):
            wire.aspect = aspect
            wire.minimum = minimum
            wire.maximum = maximum
            wire.step = 1
        case .number(let minimum, let maximum):
            wire.minimum = minimum
            wire.maximum = maximum
        case .single, .yesNo, .text, .date: break
        }
        return wire
    }
}
