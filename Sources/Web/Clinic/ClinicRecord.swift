import Records
import Wire
import Wording

/// The clinic's settings for the whole installation; nil where a setting follows from something else.
package struct ClinicRecord: Sendable, Equatable {
    package var name: String?
    package var timezone: String?
    package var variant: LanguageVariant?
    package var crisis: [CrisisNumber]?
    package var labels: SheetLabels?
    /// After how many hours unseen an answer is mailed about (PR-28), 1…168; nil for never.
    package var unseenMailHours: Int?
    /// Counts the changes; 0 before the first.
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

/// The steps of pairing, the labels of the clinic's app and addresses for the sheet, where the clinic replaces the
/// texts. The texts describe the browser, and an app only where the clinic has named parts of one.
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
        package static let places = ["address", "code_step", "code_field", "path", "therapist"]
        package var hasPlaces: Bool { self == .firstSteps || self == .laterSteps }
    }

    package var words: [Language: [Part: String]] = [:]

    package init(words: [Language: [Part: String]] = [:]) {
        self.words = words
    }

    /// A part in every language the clinic has written it in.
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

    /// Whether the clinic has an app of its own, with a name for the place where the code is entered.
    package var namesAnApp: Bool {
        words.values.contains { words in words.keys.contains { !$0.hasLines } }
    }

    /// The word for the sheet: the clinic's own, else that of the texts.
    /// - Parameter hasLink: whether the QR code holds the address of the page; else it holds the digits alone.
    package func word(_ part: Part, _ texts: Texts, hasLink: Bool = true) -> String {
        words[texts.language]?[part] ?? shipped(part, texts, hasLink: hasLink)
    }

    /// The texts' word for a part, depending on whether there is an app.
    package func shipped(_ part: Part, _ texts: Texts, hasLink: Bool = true) -> String {
        let keys: [String]
        switch part {
        case .codeStep, .codeField, .path: keys = ["app_\(part.rawValue)"]
        case .firstSteps where namesAnApp: keys = ["step_1", "step_2", "step_3", "step_4"]
        case .firstSteps:
            keys = [hasLink ? "browser_camera" : "browser_address", "browser_2", "browser_3", "step_4"]
        case .laterSteps where namesAnApp: keys = ["later_1", "later_2", "later_3"]
        case .laterSteps: keys = ["browser_later", "later_3"]
        case .addresses: keys = []
        }
        return keys.map { texts["pairing.\($0)"] }.joined(separator: "\n")
    }

    /// The lines of a part, with the labels filled in.
    /// - Parameter address: where a browser enters the code.
    package func lines(
        _ part: Part, _ texts: Texts, therapist: String, address: String, hasLink: Bool
    ) -> [String] {
        var values = ["therapist": therapist, "address": address]
        for label in Part.allCases where !label.hasLines { values[label.rawValue] = word(label, texts) }
        return word(part, texts, hasLink: hasLink).split(separator: "\n").map { line in
            guard part.hasPlaces else { return String(line) }
            return String(line).replacing(/\{([a-z_]+)\}/) { match in
                values[String(match.output.1)] ?? String(match.output.0)
            }
        }
    }
}

/// Where the clinic's zone comes from.
package enum ZoneSource: String, Sendable, CaseIterable {
    /// Given at start-up; this wins.
    case flag
    case settings
    case system
}

extension AuditAction {
    package static let clinicChanged = AuditAction(name: "clinic.changed")
}
