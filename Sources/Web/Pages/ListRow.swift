/// A row of a list for `shared/_row`: what it is, a line about it, and how it stands.
package struct ListRow: Encodable, Sendable {
    package let title: String
    /// Where it leads; nil for a row that is no link.
    package let path: String?
    package let facts: String?
    package let state: StateView?

    package init(title: String, path: String? = nil, facts: String? = nil, state: StateView? = nil) {
        self.title = title
        self.path = path
        self.facts = facts
        self.state = state
    }
}
