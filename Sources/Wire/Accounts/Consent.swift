/// A consent of the caller to a study's text.
public struct OwnConsent: Documented, Decodable {
    public static let type = "consent"
    public static let ways = ["browser", "app", "paper"]
    public var version: Int
    /// In the requested language, as it was agreed to.
    public var text: String?
    public var agreedAt: Instant
    /// `browser`, `app`, `paper`; nil for older consents.
    public var way: String?
    /// Whether the agreement named the version, as the one that was shown; nil for older consents.
    public var versionTold: Bool?

    public init(
        version: Int, text: String?, agreedAt: Instant, way: String?, versionTold: Bool? = nil
    ) {
        self.version = version
        self.text = text
        self.agreedAt = agreedAt
        self.way = way
        self.versionTold = versionTold
    }

    public static let narrowed: [String: Schema] = ["way": .choice(ways).orNull]
    public static let example = OwnConsent(
        version: 2, text: "Ich nehme freiwillig teil.", agreedAt: .example, way: "app",
        versionTold: true)
}
