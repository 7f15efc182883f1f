import Foundation
import JSON

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// Resources with one more language, made by a machine: `xx` says what English says, each sentence between brackets.
final class MadeUpLanguage: Sendable {
    static let code = "xx"
    static let brackets = CharacterSet(charactersIn: "⟦⟧")
    let folder: String

    /// - Parameter isSaid: which sentences the language has; the others are missing in it.
    init(where isSaid: (_ key: String, _ place: Int) -> Bool = { _, _ in true }) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("xx-\(UUID().uuidString)").path
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: folder + "/static", withDestinationPath: Cast.root + "/static")
        try files.copyItem(atPath: Cast.root + "/templates", toPath: folder + "/templates")
        let english = try Self.sentences("en")
        let said = english.enumerated().filter { isSaid($0.element.key, $0.offset) }.map(\.element)
        try write(said.map { ($0.key, Self.inBrackets($0.key, $0.text)) })
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The sentences of a shipped language, in the order of its file.
    static func sentences(_ code: String) throws -> [(key: String, text: String)] {
        let path = Cast.root + "/templates/texts/\(code).json"
        guard
            case .object(let features) = try JSON.parse(
                Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        else { return [] }
        return features.flatMap { feature -> [(key: String, text: String)] in
            guard case .object(let members) = feature.value else { return [] }
            return members.map { ("\(feature.key).\($0.key)", $0.value.string ?? "") }
        }
    }

    /// Lists get brackets around every name; a decimal mark stays one.
    private static func inBrackets(_ key: String, _ text: String) -> String {
        switch key {
        case "numbers.decimal_mark", "numbers.group_mark": text
        case "dates.months", "dates.months_short", "dates.weekdays", "dates.weekdays_short":
            text.split(separator: ", ").map { "⟦\($0)⟧" }.joined(separator: ", ")
        default: "⟦\(text)⟧"
        }
    }

    func write(_ sentences: [(String, String)]) throws {
        var features: [(String, [JSON.Member])] = []
        for (key, text) in sentences {
            let feature = String(key.prefix { $0 != "." })
            let member = JSON.Member(String(key.dropFirst(feature.count + 1)), .string(text))
            if let place = features.firstIndex(where: { $0.0 == feature }) {
                features[place].1.append(member)
            } else {
                features.append((feature, [member]))
            }
        }
        let json = JSON.object(features.map { JSON.Member($0.0, .object($0.1)) })
        try Data(try JSONWriter.bytes(of: json)).write(
            to: URL(fileURLWithPath: "\(folder)/templates/texts/\(Self.code).json"))
    }
}
