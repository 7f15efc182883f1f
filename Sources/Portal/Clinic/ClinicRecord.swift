import Database
import HTTP
import Wire

/// What the clinic has set for the whole installation; nil where it follows from something else.
struct ClinicRecord: Sendable, Equatable {
    var name: String?
    var timezone: String?
    var variant: LanguageVariant?
    var crisis: [CrisisNumber]?
    var labels: SheetLabels?
    /// 0 while nobody has set anything.
    var revision = 0
}

/// What the apps call the steps of pairing, where that is not what the texts say.
struct SheetLabels: Sendable, Equatable {
    enum Part: String, CaseIterable, Sendable {
        case codeStep = "code_step"
        case codeField = "code_field"
        case path
    }

    var words: [Language: [Part: String]] = [:]

    /// As they stand on the sheet: the clinic's own, else those of the texts.
    func word(_ part: Part, _ texts: Texts) -> String {
        words[texts.language]?[part] ?? texts["pairing.app_\(part.rawValue)"]
    }
}

/// Where the clinic's zone comes from.
enum ZoneSource: String, Sendable, CaseIterable {
    /// The program was told one when it was started; that wins.
    case flag
    case settings
    case system
}

extension AuditAction {
    static let clinicChanged = AuditAction(name: "clinic.changed")
}
