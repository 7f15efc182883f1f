/// An account at a provider of measurements, and the state of the link to it (FB-1).
public struct Wearable: Documented, Decodable, Equatable {
    public static let type = "wearable"
    /// `unavailable`: this clinic has not set it up. `available`: not linked. `live`: days come in. `needs_consent`:
    /// the person must be asked again.
    public static let states = ["unavailable", "available", "live", "needs_consent"]

    public var provider: String
    public var state: String
    /// The granted scopes in the provider's names; empty without a link.
    public var scopes: [String]
    /// The measures that stay empty because they were not granted: `steps`, `sleep` and so on.
    public var missing: [String]
    /// When the consent expires; null when the provider names no end.
    public var expiresAt: Instant?
    public var lastPullAt: Instant?
    /// The kind of error of the last fetch; null when all was well.
    public var problem: String?

    public init(
        provider: String, state: String, scopes: [String] = [], missing: [String] = [],
        expiresAt: Instant? = nil, lastPullAt: Instant? = nil, problem: String? = nil
    ) {
        self.provider = provider
        self.state = state
        self.scopes = scopes
        self.missing = missing
        self.expiresAt = expiresAt
        self.lastPullAt = lastPullAt
        self.problem = problem
    }

    public static let narrowed: [String: Schema] = ["state": .choice(states)]
    public static let example = Wearable(
        provider: "google_health", state: "live",
        scopes: ["https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly"],
        missing: ["heart_rate", "sleep"], lastPullAt: Instant(milliseconds: 1_795_215_600_000))
}

/// The address of a provider's question to the person. The link becomes valid only when the requesting device
/// confirms it.
public struct WearableAuthorization: Documented, Decodable, Equatable {
    public static let type = "wearable_link"
    /// To be opened in a browser, within ten minutes.
    public var authorizeURL: String

    public init(authorizeURL: String) { self.authorizeURL = authorizeURL }

    public static let example = WearableAuthorization(
        authorizeURL: "https://accounts.google.com/o/oauth2/v2/auth?client_id=clinic&response_type=code")
}
