/// Names of variables that every statistics program takes: small ASCII letters, digits and underscores, a letter first, at
/// most 32 characters, each once.
struct Variables {
    private(set) var names: [String] = []
    private var places: [String: String] = [:]
    private var taken: Set<String> = []

    private static let longest = 32

    /// The name of an item of a questionnaire, or of one of its scales; the same one whenever it is asked.
    mutating func name(_ questionnaire: String, _ item: String, isScale: Bool = false) -> String {
        let place = "\(isScale)/\(questionnaire)/\(item)"
        let item = isScale ? "score_" + item : item
        if let known = places[place] { return known }
        let plain = String(
            (questionnaire + "_" + item).lowercased().utf8.map(Self.character).prefix(Self.longest))
        let first =
            plain.first.map { $0.isLetter ? plain : String(("v" + plain).prefix(Self.longest)) } ?? "v"
        var (name, number) = (first, 1)
        while !taken.insert(name).inserted {
            number += 1
            name = first.prefix(Self.longest - String(number).count - 1) + "_\(number)"
        }
        places[place] = name
        names.append(name)
        return name
    }

    func known(_ questionnaire: String, _ item: String, isScale: Bool = false) -> String? {
        places["\(isScale)/\(questionnaire)/\(item)"]
    }

    private static func character(_ byte: UInt8) -> Character {
        let isPlain = (97...122).contains(byte) || (48...57).contains(byte)
        return isPlain ? Character(Unicode.Scalar(byte)) : "_"
    }
}
