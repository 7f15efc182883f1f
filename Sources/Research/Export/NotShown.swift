import Questionnaires

/// The value that stands in the SPSS file for a question that was not shown: one for the whole file, below everything that any of its
/// variables can hold. It follows from the questionnaires alone, so that two exports have the same.
/// Days stay empty: every number that is no day makes readers fail, and every day can be an answer.
enum NotShown {
    static let words = ValueLabels.Words.fixed("not_shown")

    /// What a number without a least value is bounded by, with its sign.
    private static let boundless = -1e15
    /// As many nines as a number holds exactly, and what is below the least number.
    private static let codes = Array(sequence(first: -9.0) { $0 * 10 - 9 }.prefix(15)) + [-9e15]

    static func code(_ definitions: [QuestionnaireDefinition]) -> Double {
        let ends = definitions.flatMap { definition in
            definition.questions.map { least($0) } + definition.scales.map { least($0, definition) }
        }
        let lowest = ends.min() ?? 0
        return codes.first { $0 < lowest } ?? lowest * 2
    }

    private static func least(_ question: QuestionnaireDefinition.Question) -> Double {
        switch question.type {
        case .single, .multiple: min(0, question.options.map(\.value).min() ?? 0)
        case .slider(let minimum, _, _), .sam(_, let minimum, _): minimum
        case .number(let minimum, _): minimum ?? boundless
        case .yesNo, .text, .date: 0
        }
    }

    /// A scale is at most as far from zero as all of its items together.
    private static func least(_ scale: Scale, _ definition: QuestionnaireDefinition) -> Double {
        let widths = scale.items.map { item -> Double in
            guard let range = definition.question(item)?.possibleRange else { return -boundless }
            return abs(range.lowerBound) + abs(range.upperBound)
        }
        let width = scale.isPercent ? 100 : widths.reduce(0, +)
        return min(-width * abs(scale.factor), scale.range?.lowerBound ?? 0)
    }
}
