import Records
import Wire

/// What the parts of a portal hear of, from itself and from the other portals on the same database. Not heard by a portal that is just
/// away from the database: what has to be right is read, this only makes it soon.
package enum News: Sendable, Equatable {
    /// The clinic's settings were changed.
    case clinicChanged
    /// A portal has read newer zone data.
    case zonesRead
    /// A person's data may no longer be disclosed: they were erased or withdrew consent.
    case consentEnded
    /// What studies ask of an account was changed: by enrolling, leaving, or other times.
    case studiesChanged(ID<Account>)

    package var text: String {
        switch self {
        case .clinicChanged: "clinic"
        case .zonesRead: "zones"
        case .consentEnded: "consent"
        case .studiesChanged(let account): "studies \(account)"
        }
    }

    /// Nil for news of another version.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("clinic", 1): self = .clinicChanged
        case ("zones", 1): self = .zonesRead
        case ("consent", 1): self = .consentEnded
        case ("studies", 2): self = .studiesChanged(ID(words[1]))
        default: return nil
        }
    }
}
