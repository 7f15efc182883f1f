/// A patient's choice on research with their data, and earlier ones.
public struct Privacy: Documented, Decodable {
    public static let type = "privacy"

    public struct Choice: Codable, Sendable {
        public var changedAt: Instant
        public var researchConsent: Bool
        /// The version of the privacy statement that was in force.
        public var textVersion: Int
        /// Whether the choice named that version, as the one that was shown; nil for choices from before this was kept.
        public var versionTold: Bool?

        public init(
            changedAt: Instant, researchConsent: Bool, textVersion: Int, versionTold: Bool? = nil
        ) {
            self.changedAt = changedAt
            self.researchConsent = researchConsent
            self.textVersion = textVersion
            self.versionTold = versionTold
        }
    }

    public var researchConsent: Bool
    /// The newest first.
    public var history: [Choice]

    public init(researchConsent: Bool, history: [Choice]) {
        self.researchConsent = researchConsent
        self.history = history
    }

    public static let sent = Schema.object([Schema.property("research_consent", .boolean)])
    public static let example = Privacy(
        researchConsent: true, history: [Choice(changedAt: .example, researchConsent: true, textVersion: 1)])
}

/// A signed-in device, by its token.
public struct Device: Documented, Decodable {
    public static let type = "device"
    public var deviceName: String?
    public var platform: String?
    public var createdAt: Instant
    public var lastUsedAt: Instant
    /// For a patient it is extended by every use.
    public var expiresAt: Instant
    /// Whether this call came from it.
    public var current: Bool
    /// In coarse words, without a version: `firefox`, `chrome`, `safari`, `edge`, `opera`, `samsung`; nil for
    /// programs, and when unknown.
    public var browser: String?
    /// `android`, `ios`, `windows`, `macos`, `chromeos`, `linux`; nil when unknown.
    public var system: String?
    /// Whether pages were opened from the home screen, where they are installed.
    public var installed: Bool?
    /// Whether it is reminded by push: `on`, `off`, or `ended`, where its relay or its browser let go of it.
    public var push: String?

    public init(
        deviceName: String?, platform: String?, createdAt: Instant, lastUsedAt: Instant, expiresAt: Instant,
        current: Bool, browser: String? = nil, system: String? = nil, installed: Bool? = nil,
        push: String? = nil
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
        self.push = push
    }

    public static let narrowed: [String: Schema] = [
        "installed": .boolean, "push": .choice(["on", "off", "ended"]),
    ]
    public static let example = Device(
        deviceName: "Pias Telefon", platform: "ios", createdAt: .example,
        lastUsedAt: Instant(milliseconds: 1_795_086_000_000),
        expiresAt: Instant(milliseconds: 1_802_862_000_000), current: true, browser: nil, system: "ios",
        installed: false, push: "on")
}
