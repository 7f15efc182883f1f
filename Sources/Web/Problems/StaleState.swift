import HTTP

/// A change was based on an outdated state, and its address alone does not tell where the present state is shown.
/// Answered like `Problem.preconditionFailed`.
package struct StaleState: Error {
    /// The address that shows the thing, or its list.
    let target: Target
    /// The id of the thing in the list; nil where it has an address of its own.
    let id: String?

    package init(target: Target, id: String? = nil) {
        self.target = target
        self.id = id
    }
}
