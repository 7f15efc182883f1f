import Records
import Wire
import Wording

/// What the clinic has set for the whole installation; nil where it follows from something else.
package struct ClinicRecord: Sendable, Equatable {
    package var name: String?
    package var timezone: String?
    package var variant: LanguageVariant?
    package var crisis: [CrisisNumber]?
    package var labels: SheetLabels?
    /// 0 while nobody has set anything.
    package var revision = 0

    package init(
        name: String? = nil, timezone: String? = nil, variant: LanguageVariant? = nil,
        crisis: [CrisisNumber]? = nil, labels: SheetLabels? = nil, revision: Int = 0
    ) {
        self.name = name
        self.timezone = timezone
        self.variant = variant
        self.crisis = crisis
        self.labels = labels
        self.revision = revision
    }
}

/// What the apps call the steps of pairing, the steps themselves and addresses for the sheet, where they are not what
/// the texts say.
package struct SheetLabels: Sendable, Equatable {
    package enum Part: String, CaseIterable, Sendable {
        case codeStep = "code_step"
        case codeField = "code_field"
        case path
        /// One step a line, with places for the labels above.
        case firstSteps = "first_steps"
        case laterSteps = "later_steps"
        /// Where the app is found, where help is: one a line; none are shipped.
        case addresses

        package var limit: Int { hasLines ? 600 : 80 }
        package var hasLines: Bool { lineLimit > 1 }
        package var lineLimit: Int {
            switch self {
            case .codeStep, .codeField, .path: 1
            case .firstSteps, .laterSteps: 6
            case .addresses: 3
            }
        }
        /// What may stand in braces in a step.
        package static let places = ["code_step", "code_field", "path", "therapist"]
        package var hasPlaces: Bool { self == .firstSteps || self == .laterSteps }
    }

    package var words: [Language: [Part: String]] = [:]

    package init(words: [Language: [Part: String]] = [:]) {
        self.words = words
    }

    /// A part in every language that somebody has named it in.
    package subscript(_ part: Part) -> LocalizedText {
        get {
            let named = words.compactMap { language, words in words[part].map { (language.rawValue, $0) } }
            return LocalizedText(translations: named.sorted { $0.0 < $1.0 })
        }
        set {
            for (code, word) in newValue.translations {
                if let language = Language(rawValue: code) { words[language, default: [:]][part] = word }
            }
        }
    }

    /// As they stand on the sheet: the clinic's own, else those of the texts.
    package func word(_ part: Part, _ texts: Texts) -> String {
        if let own = words[texts.language]?[part] { return own }
        return switch part {
        case .codeStep, .codeField, .path: texts["pairing.app_\(part.rawValue)"]
        case .firstSteps: (1...4).map { texts["pairing.step_\($0)"] }.joined(separator: "\n")
        case .laterSteps: (1...3).map { texts["pairing.later_\($0)"] }.joined(separator: "\n")
        case .addresses: ""
        }
    }

    /// The lines of a part, with the labels filled in.
    package func lines(_ part: Part, _ texts: Texts, therapist: String) -> [String] {
        var values = ["therapist": therapist]
        for label in Part.allCases where !label.hasLines { values[label.rawValue] = word(label, texts) }
        return word(part, texts).split(separator: "\n").map { line in
            guard part.hasPlaces else { return String(line) }
            return String(line).replacing(/\{([a-z_]+)\}/) { match in
                values[String(match.output.1)] ?? String(match.output.0)
            }
        }
    }
}

/// Where the clinic's zone comes from.
package enum ZoneSource: String, Sendable, CaseIterable {
    /// The program was told one when it was started; that wins.
    case flag
    case settings
    case system
}

extension AuditAction {
    package static let clinicChanged = AuditAction(name: "clinic.changed")
}
