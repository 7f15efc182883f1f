import Foundation
import JSON

/// A file of texts in `templates/texts/`: sentences by feature and name.
struct TextFile: Sendable {
    /// The sentences by `feature.name`. Empty ones count as missing: translators leave them as placeholders.
    let sentences: [String: String]

    /// - Throws: `TextsMissing` when the file is not there or no file of texts.
    init(_ path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TextsMissing("the texts \(path) are missing")
        }
        let json: JSON
        do {
            // An editor may have put a byte order mark before the text.
            json = try JSON.parse(Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data))
        } catch let failure as JSON.Failure {
            throw TextsMissing("\(path), line \(failure.line), column \(failure.column): \(failure.reason)")
        }
        guard case .object(let features) = json else { throw TextsMissing("\(path) is no object") }
        var sentences: [String: String] = [:]
        for feature in features {
            guard case .object(let members) = feature.value else {
                throw TextsMissing("\(path): \(feature.key)")
            }
            for member in members {
                guard let text = member.value.string, !text.isEmpty else { continue }
                sentences["\(feature.key).\(member.key)"] = text
            }
        }
        self.sentences = sentences
    }

    private init(sentences: [String: String]) { self.sentences = sentences }

    /// The same sentences in Swiss spelling, without ß.
    var swiss: TextFile { TextFile(sentences: sentences.mapValues { $0.replacing("ß", with: "ss") }) }
}

/// A file of texts is missing or broken; for the operator, English.
struct TextsMissing: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
