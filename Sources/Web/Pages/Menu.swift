/// A button that opens more ways, drawn by `shared/_menu`.
package struct Menu: Encodable, Sendable {
    /// The element's, once on a page.
    package let id: String
    package let label: String
    /// What there is to know before choosing, a line each.
    package let notes: [String]
    package let entries: [PageLink]
    package let acts: [FormAct]

    package init(
        id: String, label: String, notes: [String] = [], entries: [PageLink], acts: [FormAct] = []
    ) {
        self.id = id
        self.label = label
        self.notes = notes
        self.entries = entries
        self.acts = acts
    }
}

/// A form of one button.
package struct FormAct: Encodable, Sendable {
    package let label: String
    package let path: String
    package let name: String
    package let value: String
    /// The page that it leads back to.
    package let back: String

    package init(label: String, path: String, name: String, value: String, back: String) {
        self.label = label
        self.path = path
        self.name = name
        self.value = value
        self.back = back
    }
}

/// The ways at the foot of a page, drawn by `shared/_ways`: quiet ones, and apart from them those that end or erase.
package struct FootWays: Encodable, Sendable {
    package let label: String
    package let quiet: [PageLink]
    package let dangers: [PageLink]

    package init(label: String, quiet: [PageLink], dangers: [PageLink]) {
        self.label = label
        self.quiet = quiet
        self.dangers = dangers
    }
}
