/// The missing and superfluous texts of a language, compared with English (SN-5).
package struct TextsCheck: Sendable, Equatable {
    /// A line for every missing sentence, or one that lacks a value to fill in: `frame.today: "Today"`.
    package private(set) var missing: [String] = []
    /// A line for every sentence that English does not have, or with a value that is never given.
    package private(set) var superfluous: [String] = []
    /// The number of English sentences.
    package let all: Int

    /// - Parameter folder: of the text files.
    /// - Throws: when one of the two files is missing or broken.
    package init(_ language: Language, folder: String) throws {
        self.init(
            try TextFile("\(folder)/\(language.rawValue).json").sentences,
            beside: try TextFile("\(folder)/en.json").sentences)
    }

    init(_ own: [String: String], beside english: [String: String]) {
        all = english.count
        for (key, sentence) in english.sorted(by: { $0.key < $1.key }) {
            guard let text = own[key] else {
                missing.append("\(key): \"\(sentence)\"")
                continue
            }
            if let count = DateNotation.lists[key] {
                let found = DateNotation.names(text).count
                if found != count { missing.append("\(key): \(count) names, and there are \(found)") }
            } else if !key.hasPrefix("dates.") {
                compare(key, text, with: sentence)
            }
        }
        // Names of further languages are welcome.
        let others = own.keys.filter { english[$0] == nil && !$0.hasPrefix("languages.") }
        superfluous += others.sorted()
    }

    private mutating func compare(_ key: String, _ text: String, with sentence: String) {
        let wanted = Self.places(sentence)
        let found = Self.places(text)
        for place in wanted.subtracting(found).sorted() {
            missing.append("\(key): {\(place)} in the sentence")
        }
        for place in found.subtracting(wanted).sorted() {
            superfluous.append("\(key): {\(place)} in the sentence")
        }
    }

    /// The values to fill in: small letters and underscores between braces.
    private static func places(_ sentence: String) -> Set<Substring> {
        Set(sentence.matches(of: /\{([a-z_]+)\}/).map(\.1))
    }
}
