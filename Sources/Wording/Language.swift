import Wire

/// A language, by its code: the primary tag of BCP 47 (`de`, `en`, `it`).
///
/// The files in `templates/texts/` decide which ones an installation has (`InstalledTexts`, SN-5). German and English
/// are always among them: German is the default, English fills in for missing texts of another language.
package struct Language: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    /// Nil for text that is no code: two or three small letters.
    package init?(rawValue: String) {
        guard LocalizedText.isCode(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(_ code: String) { rawValue = code }

    package static let german = Language("de")
    package static let english = Language("en")

    /// The most languages of a header that are read.
    private static let limit = 10

    /// The languages of an `Accept-Language`, the preferred first: by weight, and in the order of the header for
    /// equal weights. Without a header it is German; so is `*`.
    package static func accepted(by header: String?) -> [Language] {
        guard let header, !header.isEmpty else { return [.german] }
        var found: [(language: Language, weight: Double, place: Int)] = []
        for (place, part) in header.split(separator: ",").enumerated() {
            let pieces = part.split(separator: ";")
            let tag = pieces.first?.lowercased().filter { !$0.isWhitespace } ?? ""
            let quality = pieces.dropFirst().first { $0.contains("q=") }?.split(separator: "=").last
            let weight = quality.flatMap { Double($0.filter { !$0.isWhitespace }) } ?? 1
            let language = tag == "*" ? .german : Language(rawValue: String(tag.prefix { $0 != "-" }))
            if let language, weight > 0 { found.append((language, weight, place)) }
        }
        found.sort { ($1.weight, $0.place) < ($0.weight, $1.place) }
        return Array(found.map(\.language).withoutRepetition().prefix(limit))
    }
}

extension [Language] {
    /// The same languages in their order, each once.
    package func withoutRepetition() -> [Language] {
        var seen: Set<Language> = []
        return filter { seen.insert($0).inserted }
    }
}

/// The form of German: with Austrian words only where the clinic is Austrian, without ß where it is Swiss.
package enum LanguageVariant: String, Sendable, CaseIterable {
    case austria = "de-AT"
    case germany = "de-DE"
    case switzerland = "de-CH"
}
