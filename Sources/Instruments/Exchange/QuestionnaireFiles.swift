import Foundation
import JSON
import Questionnaires
import Records
import Web
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
        return try read(Array(data), from: path, texts)
    }

    /// A questionnaire that the program comes with.
    /// - Throws: `StartError` with the file and the place of every error.
    package static func shipped(_ name: String, _ services: Services) throws -> Read {
        let path = "instruments/\(name).json"
        guard let bytes = services.shipped(path) else { throw StartError("\(path) is missing") }
        return try read(bytes, from: path, services.texts(.english))
    }

    private static func read(_ bytes: [UInt8], from path: String, _ texts: Texts) throws -> Read {
        do throws(QuestionnaireFile.Faults) {
            let json = try QuestionnaireFile.json(bytes).withCleanWords
            return Read(json: json, definition: try QuestionnaireFile.read(json))
        } catch {
            let lines = error.list.map { "\(path): \($0.place): \(texts[$0.message])" }
            throw StartError(lines.joined(separator: "\n"))
        }
    }
}
