/// The languages everything is written in.
package enum Language: String, Sendable, CaseIterable {
    case german = "de"
    case english = "en"

    /// Chosen from `Accept-Language`: absent means German, none known English. Weights are respected.
    package init(accepting header: String?) {
        guard let header, !header.isEmpty else {
            self = .german
            return
        }
        var best: (language: Language, weight: Double)?
        for part in header.split(separator: ",") {
            let pieces = part.split(separator: ";")
            let tag = pieces.first?.lowercased().filter { !$0.isWhitespace } ?? ""
            let quality = pieces.dropFirst().first { $0.contains("q=") }?.split(separator: "=").last
            let weight = quality.flatMap { Double($0.filter { !$0.isWhitespace }) } ?? 1
            let language = tag == "*" ? .german : Language(rawValue: String(tag.prefix { $0 != "-" }))
            if let language, weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
        }
        self = best?.language ?? .english
    }
}

/// How German is written: with Austrian words only where the clinic is Austrian.
package enum LanguageVariant: String, Sendable, CaseIterable {
    case austria = "de-AT"
    case germany = "de-DE"
}
