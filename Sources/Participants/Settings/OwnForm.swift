import Web
import Wording

/// A page of patients and participants with one form on it, and before it what follows from sending it.
package struct OwnForm: Page {
    package static let template = "my/form"
    package static let section: NavigationItem? = .more

    /// What is sent along unseen.
    package struct Kept: Encodable, Sendable {
        let name: String
        let value: String
    }

    let title: String
    let lead: String?
    /// One thing more to know.
    var note: String?
    /// Whether it tells to call in a crisis: then the numbers stand there.
    var tellsToCall = false
    /// What is agreed to.
    var text: String?
    /// What follows, line by line.
    var points: [String] = []
    /// The page that this one belongs to, and the way back without anything having happened.
    let parent: PageLink
    let action: String
    var kept: [Kept] = []
    var fields: [FieldView] = []
    let submit: String
    /// Whether it takes something away.
    var isGrave = false
    /// Whether leaving it alone is a button of its own.
    var asks = false
    var errors: ErrorSummary?

    package static let example = OwnForm(
        title: "Konto löschen?", lead: "Das lässt sich nicht rückgängig machen.",
        points: ["Alle Antworten werden gelöscht."],
        parent: PageLink(label: "Einstellungen", path: "/my/settings", isCurrent: false),
        action: "/my/settings/deletion", kept: [Kept(name: "confirmed", value: "true")],
        fields: [FieldView(name: "password", label: "Passwort", type: "password")], submit: "Konto löschen",
        isGrave: true, asks: true, errors: nil)
}
