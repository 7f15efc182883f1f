/// A page that asks before an action, drawn by `shared/confirm`: the consequences, and one button.
package struct Confirmation: Encodable, Sendable {
    /// A step of the breadcrumbs.
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
    /// The consequences, line by line.
    package let points: [String]
    package let crumbs: [Crumb]
    /// The form's action; sent with the field `confirmed`.
    package let action: String
    package let submit: String
    /// The way back without any change.
    package let back: String
    /// The revision that was shown, for things that have one.
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
}
