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

/// What the apps call the steps of pairing, where that is not what the texts say.
package struct SheetLabels: Sendable, Equatable {
    package enum Part: String, CaseIterable, Sendable {
        case codeStep = "code_step"
        case codeField = "code_field"
        case path
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
        words[texts.language]?[part] ?? texts["pairing.app_\(part.rawValue)"]
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
