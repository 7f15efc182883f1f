import Foundation
import JSON
import Questionnaires
import Records
import Wording

package enum QuestionnaireFiles {
    package struct Read: Sendable {
        package let json: JSON
        package let definition: QuestionnaireDefinition
    }

    /// - Throws: `StartError` with the file and the place of every error.
    package static func read(_ path: String, _ texts: Texts) throws -> Read {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError("\(path): cannot be read")
        }
        do throws(QuestionnaireFile.Faults) {
            let json = try QuestionnaireFile.json(Array(data))
            return Read(json: json, definition: try QuestionnaireFile.read(json))
        } catch {
            let lines = error.list.map { "\(path): \($0.place): \(texts[$0.message])" }
            throw StartError(lines.joined(separator: "\n"))
        }
    }
}
