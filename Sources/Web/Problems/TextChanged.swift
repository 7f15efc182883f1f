import JSON
import Wording

/// An agreement to a text that has changed since it was shown: refused (409) with the present text under `data`.
package struct TextChanged: Error {
    let problem: Problem
    /// What a `GET` of the text answers.
    let present: JSON?

    /// - Parameter present: the document that shows the text.
    package init(_ problem: Problem, present: some Encodable) throws {
        self.problem = problem
        self.present = try JSON.parse(JSONWriter.bytes(of: present))["data"]
    }
}
