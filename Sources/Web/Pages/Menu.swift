/// A button that opens more ways, drawn by `shared/_menu`.
package struct Menu: Encodable, Sendable {
    /// The element's, once on a page.
    package let id: String
    package let label: String
    package let entries: [PageLink]

    package init(id: String, label: String, entries: [PageLink]) {
        self.id = id
        self.label = label
        self.entries = entries
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
