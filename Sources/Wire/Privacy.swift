/// What a patient says about research with their data, and what they said before.
public struct Privacy: Documented, Decodable {
    public static let type = "privacy"

    public struct Choice: Codable, Sendable {
        public var changedAt: Instant
        public var researchConsent: Bool
        /// The version of the privacy statement that was in force.
        public var textVersion: Int

        public init(changedAt: Instant, researchConsent: Bool, textVersion: Int) {
            self.changedAt = changedAt
            self.researchConsent = researchConsent
            self.textVersion = textVersion
        }

        enum CodingKeys: String, CodingKey {
            case changedAt = "changed_at"
            case researchConsent = "research_consent"
            case textVersion = "text_version"
        }
    }

    public var researchConsent: Bool
    /// The newest first.
    public var history: [Choice]

    public init(researchConsent: Bool, history: [Choice]) {
        self.researchConsent = researchConsent
        self.history = history
    }

    enum CodingKeys: String, CodingKey {
        case history
        case researchConsent = "research_consent"
    }

    public static let sent = Schema.object([Schema.property("research_consent", .boolean)])
    public static let schema = Schema.object([
        Schema.property("research_consent", .boolean),
        Schema.property(
            "history",
            .list(
                .object([
                    Schema.property("changed_at", .time), Schema.property("research_consent", .boolean),
                    Schema.property("text_version", .integer),
                ]))),
    ])
    public static let example = Privacy(
        researchConsent: true,
        history: [
            Choice(changedAt: Instant(milliseconds: 1_795_000_000_000), researchConsent: true, textVersion: 1)
        ])
}

/// A device that is signed in, by its token.
public struct Device: Documented, Decodable {
    public static let type = "device"
    public var deviceName: String?
    public var platform: String?
    public var createdAt: Instant
    public var lastUsedAt: Instant
    /// A patient's moves on with every use.
    public var expiresAt: Instant
    /// Whether this very call came from it.
    public var current: Bool
    /// In coarse words, without a version: `firefox`, `chrome`, `safari`, `edge`, `opera`, `samsung`; nil for programs, and where it
    /// is not known.
    public var browser: String?
    /// `android`, `ios`, `windows`, `macos`, `chromeos`, `linux`; nil for what is not known.
    public var system: String?
    /// Whether own pages were begun from the home screen, where they are installed.
    public var installed: Bool?

    public init(
        deviceName: String?, platform: String?, createdAt: Instant, lastUsedAt: Instant, expiresAt: Instant,
        current: Bool, browser: String? = nil, system: String? = nil, installed: Bool? = nil
    ) {
        self.deviceName = deviceName
        self.platform = platform
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.current = current
        self.browser = browser
        self.system = system
        self.installed = installed
    }

    enum CodingKeys: String, CodingKey {
        case platform, current, browser, system, installed
        case deviceName = "device_name"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case expiresAt = "expires_at"
    }

    public static let schema = Schema.object([
        Schema.property("device_name", .string.orNull), Schema.property("platform", .string.orNull),
        Schema.property("created_at", .time), Schema.property("last_used_at", .time),
        Schema.property("expires_at", .time),
        Schema.property("current", .boolean), Schema.property("browser", .string.orNull),
        Schema.property("system", .string.orNull), Schema.property("installed", .boolean),
    ])
    public static let example = Device(
        deviceName: "Pias Telefon", platform: "ios", createdAt: Instant(milliseconds: 1_795_000_000_000),
        lastUsedAt: Instant(milliseconds: 1_795_086_000_000),
        expiresAt: Instant(milliseconds: 1_802_862_000_000), current: true, browser: nil, system: "ios",
        installed: false)
}
