import JSON

extension InputReader {
    /// The elements of a list; nil when it was not sent.
    package func list(_ name: String) -> [JSON]? {
        guard let value = value(name) else { return has(name) ? [] : nil }
        guard let list = value.array else {
            refuse(name, "answers.list")
            return nil
        }
        return list
    }
}
