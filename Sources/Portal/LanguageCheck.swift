import Accounts
import Foundation
import Records
import Wording

extension Operations {
    /// The missing and superfluous texts of a language.
    public struct LanguageReport: Sendable {
        /// A line for every sentence and page that is missing.
        public let missing: [String]
        /// A line for every sentence and page that is superfluous.
        public let superfluous: [String]
        /// The number of English sentences and pages.
        public let all: Int
    }

    /// Compares a language's sentences pages of information and of the guide with the English ones (SN-5).
    /// - Parameter code: of the language: `it`.
    /// - Throws: `StartError` for an invalid code; when the language has no file, or an unreadable one.
    public static func checkTexts(_ settings: Settings, language code: String) throws -> LanguageReport {
        guard let language = Language(rawValue: code) else {
            throw StartError(
                "\(code) is no language code: two or three lowercase letters, such as de, en, it")
        }
        let templates = settings.resources + "/templates"
        let texts = try TextsCheck(language, folder: templates + "/texts")
        let there = try ["help", "information"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: "\(templates)/\(folder)")
                .filter { $0.hasSuffix(".\(code).md") }.map { "\(folder)/\($0)" }
        }
        let wanted =
            HelpPart.allCases.map { "help/\($0.rawValue).\(code).md" }
            + ShippedPage.allCases.map { "information/\($0.rawValue).\(code).md" }
        return LanguageReport(
            missing: texts.missing + wanted.filter { !there.contains($0) },
            superfluous: texts.superfluous + there.filter { !wanted.contains($0) }.sorted(),
            all: texts.all + wanted.count)
    }
}
