import JSON
import Wording

/// Reads `intersession-questionnaire/1`: completely, strictly, and with the place of every error.
package struct QuestionnaireFile {
    package static let format = "intersession-questionnaire/1"

    /// A fault with its place: `sections[2].questions[0].options`.
    package struct Fault: Error, Sendable, Equatable {
        package let place: String
        package let message: Message

        package init(place: String, message: Message) {
            self.place = place
            self.message = message
        }
    }

    /// All faults of a file.
    package struct Faults: Error, Sendable {
        package let list: [Fault]
        /// Answers whose points would have to be said first.
        package var uncounted: [UncountedAnswer] = []

        package init(list: [Fault], uncounted: [UncountedAnswer] = []) {
            self.list = list
            self.uncounted = uncounted
        }
    }

    /// - Throws: `Faults` with every fault, not only the first; a faulty file imports nothing.
    package static func read(_ bytes: [UInt8]) throws(Faults) -> QuestionnaireDefinition {
        try read(try json(bytes))
    }

    /// Some editors put a byte order mark before the text; it is skipped.
    /// - Throws: `Faults` with the line and column where the bytes are no JSON.
    package static func json(_ bytes: [UInt8]) throws(Faults) -> JSON {
        do {
            return try JSON.parse(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        } catch {
            let failure = error as? JSON.Failure
            let values = ["line": String(failure?.line ?? 0), "column": String(failure?.column ?? 0)]
            let key = failure?.isDuplicateKey == true ? "problems.duplicate_key" : "problems.no_json"
            throw Faults(list: [Fault(place: "file", message: Message(key, values))])
        }
    }

    package static func read(_ json: JSON) throws(Faults) -> QuestionnaireDefinition {
        let reader = FileReader(json)
        let definition = reader.definition()
        guard let definition, reader.file.faults.isEmpty else { throw Faults(list: reader.file.faults) }
        return definition
    }
}
