import JSON
import Psychometrics
import Wire
import Wording

/// A questionnaire from its file, checked as a whole. Made only by `QuestionnaireFile`. Never changes, and is shared
/// by everything that mentions it: therefore a class, which costs one reference to pass on.
package final class QuestionnaireDefinition: Sendable {
    /// A text in one or more languages, in the order of the file.
    package typealias Text = LocalizedText

    package struct Option: Sendable, Equatable {
        package let value: Double
        package let text: Text
        /// Excludes all other options of a multiple choice.
        package let isExclusive: Bool
    }

    package struct Section: Sendable {
        package let key: String
        package let text: Text
        package let visibleIf: Condition?
        /// Nil for a list.
        package let layout: SectionLayout?
        package let options: [Option]
        package let questions: [Question]
    }

    package struct Question: Sendable {
        package let key: String
        package let type: Kind
        package let isRequired: Bool
        package let text: Text
        /// Its own or its section's, for choices.
        package let options: [Option]
        package let hasOwnOptions: Bool
        package let minimumLabel: Text?
        package let maximumLabel: Text?
        /// The answers a therapist must see in any case (PR-11); nil for none. Phones do not get it.
        package let mustBeSeen: Alarming?
    }

    /// Answers that must be seen.
    package enum Alarming: Sendable, Equatable {
        case atLeast(Double)
        case anyOf([Double])

        /// As in the file, for a script.
        package var words: String? {
            let json: JSON =
                switch self {
                case .atLeast(let least): .object([JSON.Member("at_least", .number(least))])
                case .anyOf(let values): .object([JSON.Member("any_of", .array(values.map { .number($0) }))])
                }
            return (try? JSONWriter.bytes(of: json)).map { String(decoding: $0, as: UTF8.self) }
        }

        package func includes(_ value: Double) -> Bool {
            switch self {
            case .atLeast(let least): Threshold(.atLeast, least).isMet(by: value)
            case .anyOf(let values): values.contains { Threshold(.equals, $0).isMet(by: value) }
            }
        }
    }

    package enum Kind: Sendable, Equatable {
        case single
        case multiple(minimum: Int?, maximum: Int?)
        case slider(minimum: Double, maximum: Double, step: Double)
        case sam(aspect: String, minimum: Double, maximum: Double)
        case yesNo
        case text
        case number(minimum: Double?, maximum: Double?)
        case date

        package var name: String {
            switch self {
            case .single: "single"
            case .multiple: "multiple"
            case .slider: "slider"
            case .sam: "sam"
            case .yesNo: "yes_no"
            case .text: "text"
            case .number: "number"
            case .date: "date"
            }
        }
    }

    package enum Mode: String, Sendable { case sheet, living }

    package let key: String
    package let title: Text
    package let description: Text?
    package let intro: Text?
    package let outro: Text?
    package let citation: String?
    package let origin: String?
    package let mode: Mode
    /// Whether its owner allows that the clinic prints it as a blank form (PR-38).
    package let isPrintable: Bool
    package let sections: [Section]
    package let scales: [Scale]

    /// Derived values, computed once: definitions are read a thousand times as often as made.
    package let questions: [Question]
    private let questionByKey: [String: Question]
    private let completeLanguages: Set<String>
    /// Whether any section has a condition; most questionnaires have none.
    package let isConditional: Bool
    /// Of each section, the questions that conditions look at.
    let deciding: [[String]]

    package init(
        key: String, title: Text, description: Text?, intro: Text?, outro: Text?, citation: String?,
        origin: String?,
        mode: Mode, isPrintable: Bool = false, sections: [Section], scales: [Scale]
    ) {
        self.key = key
        self.title = title
        self.description = description
        self.intro = intro
        self.outro = outro
        self.citation = citation
        self.origin = origin
        self.mode = mode
        self.isPrintable = isPrintable
        self.sections = sections
        self.scales = scales
        questions = sections.flatMap(\.questions)
        isConditional = sections.contains { $0.visibleIf != nil }
        let asked = Set(sections.flatMap { $0.visibleIf?.questions ?? [] })
        deciding = sections.map { $0.questions.map(\.key).filter(asked.contains) }
        questionByKey = Dictionary(questions.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let texts = Self.texts([title, description, intro, outro], sections, scales)
        let languages = Set(title.languages + LocalizedText.fallbacks)
        // A section without a text is complete in every language.
        completeLanguages = languages.filter { language in
            texts.allSatisfy { $0.isEmpty || $0[language] != nil }
        }
    }

    package func question(_ key: String) -> Question? { questionByKey[key] }

    /// All texts, for the choice of a language.
    private static func texts(_ head: [Text?], _ sections: [Section], _ scales: [Scale]) -> [Text] {
        let body = sections.flatMap { section -> [Text] in
            let options = section.options.map(\.text)
            let questions = section.questions.flatMap { question -> [Text] in
                let own = question.hasOwnOptions ? question.options.map(\.text) : []
                return [question.text] + own
                    + [question.minimumLabel, question.maximumLabel].compactMap(\.self)
            }
            return [section.text] + options + questions
        }
        return head.compactMap(\.self) + body + scales.map(\.title)
    }

    /// The language for the whole of it: the requested one if every text has it, else English, else German, else the
    /// first complete one; finally that of the title.
    package func language(asked: String) -> String { language(asked: [asked]) }

    /// The same for several requested ones, the best first.
    package func language(asked: [String]) -> String {
        if let own = asked.first(where: completeLanguages.contains) { return own }
        let others = title.languages
        return (LocalizedText.fallbacks + others).first(where: completeLanguages.contains) ?? others.first
            ?? "de"
    }
}

/// A scale: how answers become a number.
package struct Scale: Sendable {
    package enum Method: String, Sendable { case sum, mean }

    package let key: String
    package let title: QuestionnaireDefinition.Text
    package let method: Method
    package let items: [String]
    package let reversed: Set<String>
    package let factor: Double
    package let isPercent: Bool
    /// Share of the items that must be answered; nil for the default.
    package let minimumAnswered: Double?
    package let range: ClosedRange<Double>?
    /// Nil for a scale without a good end.
    package let higherIsWorse: Bool?
    package let cutoff: Double?
    package let reliability: Double?
    package let standardDeviation: Double?

    /// The least answered items: all of up to four, else four fifths, unless the file says otherwise.
    package var needed: Int {
        let share = minimumAnswered ?? (items.count <= 4 ? 1 : 0.8)
        // Slightly less, so that 0.8 × 5 is 4 despite rounding errors.
        return Int((share * Double(items.count) - 1e-9).rounded(.up))
    }

    package init(
        key: String, title: QuestionnaireDefinition.Text, method: Method, items: [String],
        reversed: Set<String>, factor: Double, isPercent: Bool, minimumAnswered: Double?,
        range: ClosedRange<Double>?, higherIsWorse: Bool?, cutoff: Double?, reliability: Double?,
        standardDeviation: Double?
    ) {
        self.key = key
        self.title = title
        self.method = method
        self.items = items
        self.reversed = reversed
        self.factor = factor
        self.isPercent = isPercent
        self.minimumAnswered = minimumAnswered
        self.range = range
        self.higherIsWorse = higherIsWorse
        self.cutoff = cutoff
        self.reliability = reliability
        self.standardDeviation = standardDeviation
    }
}

extension QuestionnaireDefinition.Question {
    /// The possible numbers of an answer; nil for questions not answered by one number of a known range.
    package var possibleRange: ClosedRange<Double>? {
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

    /// What a typed number may be; without limits where a number is not typed.
    package var limits: TypedNumber.Limits {
        switch type {
        case .slider(let minimum, let maximum, let step): .init(minimum...max(minimum, maximum), step: step)
        case .number(let minimum, let maximum): .init(minimum: minimum, maximum: maximum)
        case .single, .multiple, .sam, .yesNo, .text, .date: .init()
        }
    }
}
