import Foundation

@testable import Questionnaires

/// Questionnaire files by key: the shipped ones, and the real ones from beside the checkout where they are.
enum InstrumentFiles {
    static let shipped = ["between-sessions", "intersession-daily", "tinnitus-moment", "wellbeing-5"]
    static let folder =
        URL(fileURLWithPath: Cast.root).deletingLastPathComponent().path + "/shared/instruments"

    static let real: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()

    static func read(_ key: String) throws -> QuestionnaireDefinition? {
        let path =
            shipped.contains(key) && !real.contains(key) ? Cast.root + "/templates/instruments" : folder
        guard let data = FileManager.default.contents(atPath: "\(path)/\(key).json") else { return nil }
        return try QuestionnaireFile.read(Array(data))
    }

    static func shippedOne(_ key: String) throws -> QuestionnaireDefinition {
        let path = "\(Cast.root)/templates/instruments/\(key).json"
        return try QuestionnaireFile.read(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
}
