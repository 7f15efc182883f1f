import HTTP
import JSON

/// Refuses what was sent twice: one of both would be dropped in silence.
extension InputReader {
    /// A box to tick has a hidden field before it, which says only that it was on the page; lists are read by `Form.all`.
    func refuseTwice(_ name: String, _ values: [(name: String, value: JSON)]) {
        let sent = values.filter { $0.name == name }.map(\.value)
        if sent.count > 1, sent != [.string(""), .string("true")] { refuse(name, "errors.twice") }
    }

    /// - Parameter several: the fields of which more than one file may come.
    /// - Returns: the fields that were refused.
    func refuseFilesTwice(but several: Set<String>) -> Set<String> {
        let names = form.crowdedFiles.filter { !several.contains($0) }
        for name in names { refuse(name, "errors.twice") }
        return Set(names)
    }
}
