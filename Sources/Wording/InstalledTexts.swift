import Foundation

/// The sentences of every language with a file in `templates/texts/` (SN-5).
package struct InstalledTexts: Sendable {
    /// German and English, then the others by their codes.
    package let languages: [Language]
    private let texts: [Language: Texts]
    private let austrian: Texts
    private let swiss: Texts
    private let english: Texts

    /// Reads every file of the folder once.
    /// - Throws: when German or English is missing, or a file is broken.
    package init(folder: String) throws {
        let languages = try Self.languages(in: folder)
        let english = try TextFile("\(folder)/en.json")
        let german = try TextFile("\(folder)/de.json")
        let others = try languages.dropFirst(2).map { language in
            (language, Texts(language, try TextFile("\(folder)/\(language.rawValue).json"), beneath: english))
        }
        let variant = try TextFile("\(folder)/\(LanguageVariant.austria.rawValue).json")
        self.languages = languages
        self.english = Texts(.english, english, beneath: nil)
        austrian = Texts(.german, german, over: variant, beneath: english)
        swiss = Texts(.german, german.swiss, beneath: english)
        texts = Dictionary(uniqueKeysWithValues: others).merging(
            [.german: Texts(.german, german, beneath: english), .english: self.english],
            uniquingKeysWith: { first, _ in first })
    }

    /// The languages with a file in a folder; German and English are always included.
    package static func languages(in folder: String) throws -> [Language] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let found = names.filter { $0.hasSuffix(".json") }.compactMap {
            Language(rawValue: String($0.dropLast(".json".count)))
        }
        let others = Set(found).subtracting([.german, .english])
        return [.german, .english] + others.sorted { $0.rawValue < $1.rawValue }
    }

    /// The sentences in a language; English for one that is not installed.
    /// - Parameter variant: the form of German.
    package func texts(_ language: Language, as variant: LanguageVariant = .germany) -> Texts {
        guard language == .german else { return texts[language] ?? english }
        return switch variant {
        case .austria: austrian
        case .switzerland: swiss
        case .germany: texts[language] ?? english
        }
    }

    /// The language of a code, where it is installed.
    package func language(_ code: String?) -> Language? {
        code.flatMap(Language.init(rawValue:)).flatMap { texts[$0] == nil ? nil : $0 }
    }

    /// The first of these that is installed; English where none is.
    package func first(of languages: [Language]) -> Language {
        languages.first { texts[$0] != nil } ?? .english
    }

    /// A language's name for a reader: in the reader's language if that has a name for it, else in its own.
    package func name(of language: Language, for reader: Texts) -> String {
        reader.sentence("languages.\(language.rawValue)") ?? texts(language)["frame.language"]
    }
}
