import JSON

/// How a section of a questionnaire is shown to its reader.
package enum SectionLayout: String, CaseIterable, Sendable {
    /// One question a screen on a phone, all below each other elsewhere.
    case one
    /// The answers of a question beside each other, from one end to the other.
    case scale
    /// Questions as rows, answers as columns, where there is room.
    case grid
    /// All questions below each other.
    case list

    /// The most answers that a question may offer to stand alone on a phone's screen by default.
    private static let most = 7

    /// The layout of a new section that names none: nil, which is a list, where a question offers more answers than a
    /// screen of a phone has room for.
    static func usual(for questions: [QuestionnaireDefinition.Question]) -> SectionLayout? {
        questions.allSatisfy { $0.offered <= most } ? .one : nil
    }
}

extension QuestionnaireDefinition.Question {
    /// How many answers it offers beside each other or below each other; 0 where the answer is typed or drawn.
    fileprivate var offered: Int {
        switch type {
        case .single, .multiple: options.count
        case .yesNo: 2
        case .sam(_, let minimum, let maximum): Int(maximum - minimum) + 1
        case .slider, .text, .number, .date: 0
        }
    }
}

extension QuestionnaireDefinition.Section {
    /// Whether an answer to one of its questions has to be seen.
    package var hasCall: Bool { questions.contains { $0.mustBeSeen != nil } }

    /// Whether a phone shows one question after the other.
    package var isStepwise: Bool { layout == .one }

    fileprivate var laidOut: Self {
        Self(
            key: key, text: text, visibleIf: visibleIf, layout: layout ?? .usual(for: questions),
            options: options, questions: questions)
    }
}

extension QuestionnaireDefinition {
    /// The same as a new version, whose sections have their usual layout where they name none. Versions from before
    /// layouts were known have none, and stay lists: a study that asks one goes on as it began.
    package var laidOut: QuestionnaireDefinition {
        QuestionnaireDefinition(
            key: key, title: title, description: description, intro: intro, outro: outro, citation: citation,
            origin: origin, mode: mode, isPrintable: isPrintable, sections: sections.map(\.laidOut),
            scales: scales)
    }

    /// The file of this questionnaire with its layouts.
    package func laidOut(_ file: JSON) -> JSON {
        sections.indices.reduce(file) { file, index in
            let place = DocumentPath("sections.\(index).layout")
            return file.setting(place, sections[index].layout.map { .string($0.rawValue) })
        }
    }
}
