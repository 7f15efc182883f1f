import JSON

/// The list beside sounds in a folder, `sounds.json`: what `sounds generate` writes and `sounds import` reads.
public struct SoundManifest: Sendable, Equatable, Encodable {
    public static let file = "sounds.json"
    public static let format = "intersession-sounds/1"

    public struct Category: Sendable, Equatable, Encodable {
        /// Its name for sounds, in this list only.
        public let key: String
        /// By language.
        public let title: [String: String]
    }

    public struct Sound: Sendable, Equatable, Encodable {
        /// A name in the folder.
        public let file: String
        public let category: String
        /// By language.
        public let title: [String: String]
        /// The creator.
        public let credits: String
        public let licence: String
        /// Samples from the begin; the end is the first that is not played.
        public let loopStart: Int?
        public let loopEnd: Int?
        /// A picture in the folder: PNG, JPEG or WebP.
        public let picture: String?

        private enum CodingKeys: String, CodingKey {
            case file, category, title, credits, licence, loopStart = "loop_start", loopEnd = "loop_end",
                picture
        }
    }

    /// In the order in which they are shown.
    public let categories: [Category]
    public let sounds: [Sound]

    /// Where and why a list cannot be read.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// `sounds[3].title`, or a line and a column.
        public let place: String
        public let reason: String
        public var description: String { "\(SoundManifest.file), \(place): \(reason)" }
    }

    init(categories: [Category], sounds: [Sound]) {
        self.categories = categories
        self.sounds = sounds
    }

    private enum CodingKeys: String, CodingKey { case format, categories, sounds }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(Self.format, forKey: .format)
        try fields.encode(categories, forKey: .categories)
        try fields.encode(sounds, forKey: .sounds)
    }

    /// - Throws: `Failure`.
    public init(_ bytes: [UInt8]) throws(Failure) {
        let json: JSON
        do {
            json = try JSON.parse(bytes)
        } catch {
            let failure = error as? JSON.Failure
            throw Failure(
                place: "line \(failure?.line ?? 1), column \(failure?.column ?? 1)",
                reason: failure?.reason ?? "no JSON")
        }
        guard json["format"]?.string == Self.format else {
            throw Failure(place: "format", reason: "wants \"\(Self.format)\"")
        }
        var categories: [Category] = []
        for (index, entry) in try Self.list(json, "categories").enumerated() {
            let place = "categories[\(index)]"
            categories.append(
                Category(key: try Self.text(entry, "key", place), title: try Self.titles(entry, place)))
        }
        var sounds: [Sound] = []
        for (index, entry) in try Self.list(json, "sounds").enumerated() {
            sounds.append(try Self.sound(entry, "sounds[\(index)]", Set(categories.map(\.key))))
        }
        self.init(categories: categories, sounds: sounds)
    }

    private static func sound(_ json: JSON, _ place: String, _ categories: Set<String>) throws(Failure)
        -> Sound
    {
        let category = try text(json, "category", place)
        guard categories.contains(category) else {
            throw Failure(place: place + ".category", reason: "\(category) is not in categories")
        }
        let picture = json["picture"] ?? .null
        return Sound(
            file: try name(text(json, "file", place), place + ".file"), category: category,
            title: try titles(json, place), credits: try text(json, "credits", place),
            licence: try text(json, "licence", place), loopStart: try samples(json, "loop_start", place),
            loopEnd: try samples(json, "loop_end", place),
            picture: picture == .null ? nil : try name(text(json, "picture", place), place + ".picture"))
    }

    private static func list(_ json: JSON, _ key: String) throws(Failure) -> [JSON] {
        guard let list = json[key]?.array else { throw Failure(place: key, reason: "wants a list") }
        return list
    }

    private static func text(_ json: JSON, _ key: String, _ place: String) throws(Failure) -> String {
        guard let text = json[key]?.string, text.contains(where: { !$0.isWhitespace }) else {
            throw Failure(place: "\(place).\(key)", reason: "wants a text")
        }
        return text
    }

    /// A file in the folder itself: the name cannot lead out of it.
    private static func name(_ text: String, _ place: String) throws(Failure) -> String {
        guard !text.contains("/"), !text.hasPrefix("."), !text.contains("\0") else {
            throw Failure(place: place, reason: "wants the name of a file in the folder")
        }
        return text
    }

    private static func titles(_ json: JSON, _ place: String) throws(Failure) -> [String: String] {
        guard case .object(let members)? = json["title"], !members.isEmpty else {
            throw Failure(place: place + ".title", reason: "wants a text by language")
        }
        var titles: [String: String] = [:]
        for member in members {
            guard let title = member.value.string, !title.isEmpty else {
                throw Failure(place: "\(place).title.\(member.key)", reason: "wants a text")
            }
            titles[member.key] = title
        }
        return titles
    }

    private static func samples(_ json: JSON, _ key: String, _ place: String) throws(Failure) -> Int? {
        let value = json[key] ?? .null
        if value == .null { return nil }
        guard let number = value.number.flatMap(Int.init(exactly:)), number >= 0 else {
            throw Failure(place: "\(place).\(key)", reason: "wants a whole number of samples")
        }
        return number
    }
}
