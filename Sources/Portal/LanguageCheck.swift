import Accounts
import Foundation
import Records
import Wording

extension Operations {
    /// What a language lacks, and what it has that nobody asks for.
    public struct LanguageReport: Sendable {
        /// A line for every sentence and page that is missing.
        public let missing: [String]
        /// A line for every sentence and page that is superfluous.
        public let superfluous: [String]
        /// How many sentences and pages there are in English.
        public let all: Int
    }

    /// Compares a language's sentences and information pages with the English ones (SN-5).
    /// - Parameter code: of the language: `it`.
    /// - Throws: `StartError` for what is no code; when the language has no file, or one that cannot be read.
    public static func checkTexts(_ settings: Settings, language code: String) throws -> LanguageReport {
        guard let language = Language(rawValue: code) else {
            throw StartError(
                "\(code) is no language code: two or three lowercase letters, such as de, en, it")
        }
        let templates = settings.resources + "/templates"
        let texts = try TextsCheck(language, folder: templates + "/texts")
        let there = try FileManager.default.contentsOfDirectory(atPath: templates + "/information")
            .filter { $0.hasSuffix(".\(code).md") }
        let wanted = ShippedPage.allCases.map { "\($0.rawValue).\(code).md" }
        let name = { (file: String) in "information/\(file)" }
        return LanguageReport(
            missing: texts.missing + wanted.filter { !there.contains($0) }.map(name),
            superfluous: texts.superfluous + there.filter { !wanted.contains($0) }.sorted().map(name),
            all: texts.all + wanted.count)
    }
}
