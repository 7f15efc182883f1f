/// A consent text of a study that the caller has agreed to.
public struct OwnConsent: Documented, Decodable {
    public static let type = "consent"
    public static let ways = ["browser", "app", "paper"]
    public var version: Int
    /// In the language asked for, as it was agreed to.
    public var text: String?
    public var agreedAt: Instant
    /// `browser`, `app`, `paper`; nil for what was agreed to before it was kept.
    public var way: String?

    public init(version: Int, text: String?, agreedAt: Instant, way: String?) {
        self.version = version
        self.text = text
        self.agreedAt = agreedAt
        self.way = way
    }

    enum CodingKeys: String, CodingKey {
        case version, text, way
        case agreedAt = "agreed_at"
    }

    public static let schema = Schema.object([
        Schema.property("version", .integer), Schema.property("text", .string.orNull),
        Schema.property("agreed_at", .time), Schema.property("way", Schema.choice(ways).orNull),
    ])
    public static let example = OwnConsent(
        version: 2, text: "Ich nehme freiwillig teil.", agreedAt: Instant(milliseconds: 1_795_000_000_000),
        way: "app")
}

/// That a participant has agreed to a version of the study's consent text.
public struct ParticipantConsent: Documented, Decodable {
    public static let type = "participant_consent"
    public var codename: String
    public var version: Int
    public var agreedAt: Instant
    /// `browser`, `app`, `paper`; nil for what was agreed to before it was kept.
    public var way: String?

    public init(codename: String, version: Int, agreedAt: Instant, way: String?) {
        self.codename = codename
        self.version = version
        self.agreedAt = agreedAt
        self.way = way
    }

    enum CodingKeys: String, CodingKey {
        case codename, version, way
        case agreedAt = "agreed_at"
    }

    public static let schema = Schema.object([
        Schema.property("codename", .string), Schema.property("version", .integer),
        Schema.property("agreed_at", .time), Schema.property("way", Schema.choice(OwnConsent.ways).orNull),
    ])
    public static let example = ParticipantConsent(
        codename: "S482193", version: 2, agreedAt: Instant(milliseconds: 1_795_000_000_000), way: "app")
}
