import Web

/// A page of patients and participants with one form, and its consequences before it.
package struct OwnForm: Page {
    package static let template = "my/form"
    package static let section: NavigationItem? = .more

    /// A hidden field.
    package struct Kept: Encodable, Sendable {
        let name: String
        let value: String
    }

    let title: String
    let lead: String?
    /// An additional note.
    var note: String?
    /// Whether the crisis numbers are shown.
    var tellsToCall = false
    /// The text to agree to.
    var text: String?
    /// The consequences, line by line.
    var points: [String] = []
    /// The page that this one belongs to, for going back without any change.
    let parent: PageLink
    let action: String
    var kept: [Kept] = []
    var fields: [FieldView] = []
    let submit: String
    /// Whether it removes something.
    var isGrave = false
    /// Whether cancelling is a button of its own.
    var asks = false
    var errors: ErrorSummary?
}
