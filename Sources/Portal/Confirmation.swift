/// A page of its own that asks before something follows, drawn by `shared/confirm`: what follows, and one button.
struct Confirmation: Encodable, Sendable {
    /// A step of the way back.
    struct Crumb: Encodable, Sendable {
        let label: String
        let path: String
    }

    let title: String
    let lead: String
    /// What follows, line by line.
    let points: [String]
    let crumbs: [Crumb]
    /// Where the answer is sent; with the field `confirmed`.
    let action: String
    let submit: String
    /// Back, without anything having happened.
    let back: String
    /// The state that was in view, for what knows one.
    var revision: String?

    /// The field that says that the page was seen.
    static let field = "confirmed"

    static let example = Confirmation(
        title: "Regel löschen?", lead: "Die Regel ist eingeschaltet.", points: ["Sie löst nicht mehr aus."],
        crumbs: [Crumb(label: "Regeln", path: "/rules")], action: "/rules/x/removal", submit: "Regel löschen",
        back: "/rules/x")
}
