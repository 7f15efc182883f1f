import Wording

/// The parts of a name as it is written: given names, family name, and what stands behind a comma ("MSc").
struct PersonName: Equatable {
    let given: String
    let family: String
    let suffix: String

    /// The family name begins with its first particle ("van der Berg", "de la Cruz"), else it is the last word. Two family names
    /// joined by "y" stay together.
    init(_ name: String) {
        let parts = name.unicodeScalars.split(separator: ",", maxSplits: 1)
        let words = Self.words(parts.first ?? "".unicodeScalars[...])
        let particle = words.indices.dropLast().first { index in
            Self.particles.contains(words[index].lowercased())
                // A name that begins with a capital one ("Van", "Le") is a given name; with a small one it is all family.
                && (index > 0 || words[index] == words[index].lowercased())
        }
        let joined = words.firstIndex(of: "y").map { max(1, $0 - 1) }
        let start = min(particle ?? .max, joined ?? .max, max(0, words.count - 1))
        given = words.prefix(start).joined(separator: " ")
        family = words.dropFirst(start).joined(separator: " ")
        suffix = parts.count > 1 ? Self.words(parts[1]).joined(separator: " ") : ""
    }

    private static func words(_ text: Substring.UnicodeScalarView) -> [String] {
        text.split { $0.properties.isWhitespace }.map { String($0) }
    }

    /// Those of Dutch, German, French, Italian, Spanish, Portuguese, Scandinavian and Arabic family names.
    private static let particles: Set<String> = [
        "van", "von", "vom", "de", "den", "der", "des", "di", "da", "dal", "dalla", "dei", "del", "dela",
        "della",
        "degli", "do", "dos", "das", "du", "la", "las", "le", "les", "lo", "los", "zu", "zum", "zur", "ter",
        "ten",
        "te", "tot", "op", "af", "av", "el", "al", "bin", "ibn", "'t", "’t",
    ]
}
