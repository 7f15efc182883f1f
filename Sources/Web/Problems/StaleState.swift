import HTTP

/// Something was to be changed that has been changed since it was looked at, and the address of the change alone does not say
/// where the present state is to be seen. Answered like `Problem.preconditionFailed`.
package struct StaleState: Error {
    /// Where the thing, or the list it stands in, is looked at.
    let target: Target
    /// The id of the thing in the list; nil where it has an address of its own.
    let id: String?

    package init(target: Target, id: String? = nil) {
        self.target = target
        self.id = id
    }
}
