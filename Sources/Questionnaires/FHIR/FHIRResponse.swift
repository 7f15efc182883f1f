import JSON
import Wording

/// Answers as items of a FHIR R4 `QuestionnaireResponse`: in the groups, types and codes of the `Questionnaire` that `FHIRWriter` writes.
package struct FHIRResponse: Sendable {
    private struct Question {
        let id: String
        let type: FHIRItemType
        /// The coding of every option, by its value.
        let codings: [Double: JSON]
    }

    /// Each group with its questions; sections without any have no answers.
    private let groups: [(id: String, questions: [Question])]

    package init(_ definition: QuestionnaireDefinition) {
        let links = FHIRLinks(definition)
        let base = FHIRWriter.base(of: definition)
        groups = definition.sections.map { section in
            let questions = section.questions.map { question in
                Question(
                    id: question.key, type: .init(question.type),
                    codings: Dictionary(
                        question.options.map { ($0.value, Self.coding($0, base)) },
                        uniquingKeysWith: { first, _ in first }))
            }
            return (links.section(section.key), questions)
        }
    }

    private static func coding(_ option: QuestionnaireDefinition.Option, _ base: String) -> JSON {
        let words =
            FHIRWriter.words(of: option.text, base).map { [JSON.Member("display", .string($0.text))] } ?? []
        return .object([.init("code", .string(FilePieces.words(option.value)))] + words)
    }

    /// - Parameter answer: the answer to a question, by its place among all of them and its key.
    /// - Returns: an item for every group in which something was answered.
    package func items(_ answer: (Int, String) -> JSON) -> [JSON] {
        var place = 0
        return groups.compactMap { id, questions -> JSON? in
            let items = questions.compactMap { question -> JSON? in
                defer { place += 1 }
                let answers = Self.answers(answer(place, question.id), to: question)
                if answers.isEmpty { return nil }
                return .object([.init("linkId", .string(question.id)), .init("answer", .array(answers))])
            }
            if items.isEmpty { return nil }
            return .object([.init("linkId", .string(id)), .init("item", .array(items))])
        }
    }

    private static func answers(_ value: JSON, to question: Question) -> [JSON] {
        let valued = { (name: String, value: JSON) -> [JSON] in [.object([.init(name, value)])] }
        switch (question.type, value) {
        case (.choice, .array(let values)): return values.flatMap { answers($0, to: question) }
        case (.choice, .number(let number)):
            let plain = JSON.object([.init("code", .string(FilePieces.words(number)))])
            return valued("valueCoding", question.codings[number] ?? plain)
        // A slider forgives a millionth of a step.
        case (.integer, .number(let number)): return valued("valueInteger", .number(number.rounded()))
        case (.decimal, .number): return valued("valueDecimal", value)
        case (.boolean, .number(let number)): return valued("valueBoolean", .bool(number == 1))
        case (.date, .string): return valued("valueDate", value)
        case (.text, .string(let stored)):
            // R4 forbids control characters, which answers of earlier releases may hold.
            let text = TypedLines.read(stored)
            return text.allSatisfy(\.isWhitespace) ? [] : valued("valueString", .string(text))
        default: return []
        }
    }
}

/// The type of a question's item, and of its answers.
enum FHIRItemType: String {
    case choice, integer, decimal, boolean, text, date

    init(_ type: QuestionnaireDefinition.Kind) {
        self =
            switch type {
            case .single, .multiple: .choice
            case .slider(let minimum, let maximum, let step):
                [minimum, maximum, step].allSatisfy { $0.rounded() == $0 } ? .integer : .decimal
            case .sam: .integer
            case .yesNo: .boolean
            case .text: .text
            case .number: .decimal
            case .date: .date
            }
    }
}
