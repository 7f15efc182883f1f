/// A page of its own that asks before something follows, drawn by `shared/confirm`: what follows, and one button.
package struct Confirmation: Encodable, Sendable {
    /// A step of the way back.
    package struct Crumb: Encodable, Sendable {
        let label: String
        let path: String

        package init(label: String, path: String) {
            self.label = label
            self.path = path
        }
    }

    package let title: String
    package let lead: String
    /// What follows, line by line.
    package let points: [String]
    package let crumbs: [Crumb]
    /// Where the answer is sent; with the field `confirmed`.
    package let action: String
    package let submit: String
    /// Back, without anything having happened.
    package let back: String
    /// The state that was in view, for what knows one.
    package var revision: String?

    package init(
        title: String, lead: String, points: [String], crumbs: [Crumb], action: String, submit: String,
        back: String, revision: String? = nil
    ) {
        self.title = title
        self.lead = lead
        self.points = points
        self.crumbs = crumbs
        self.action = action
        self.submit = submit
        self.back = back
        self.revision = revision
    }

    /// The field that says that the page was seen.
    package static let field = "confirmed"

    package static let example = Confirmation(
        title: "Reaktion löschen?", lead: "Die Reaktion ist eingeschaltet.",
        points: ["Sie löst nicht mehr aus."],
        crumbs: [Crumb(label: "Reaktionen", path: "/rules")], action: "/rules/x/removal",
        submit: "Reaktion löschen",
        back: "/rules/x")
}
