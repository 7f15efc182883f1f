/// An account with a provider of measurements, and how far the link to it has come (FB-1).
public struct Wearable: Documented, Decodable, Equatable {
    public static let type = "wearable"
    /// `unavailable`: this clinic has not set it up. `available`: nothing is linked. `live`: days come in.
    /// `needs_consent`: the provider wants to be asked again.
    public static let states = ["unavailable", "available", "live", "needs_consent"]

    public var provider: String
    public var state: String
    /// What the provider granted, as it names it; empty without a link.
    public var scopes: [String]
    /// What stays empty because it was not granted: `steps`, `sleep` and so on.
    public var missing: [String]
    /// When the consent ends by itself; null where the provider says no end.
    public var expiresAt: Instant?
    public var lastPullAt: Instant?
    /// What kind of error the last look met; null when all was well.
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

    enum CodingKeys: String, CodingKey {
        case provider, state, scopes, missing, problem
        case expiresAt = "expires_at"
        case lastPullAt = "last_pull_at"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(provider, forKey: .provider)
        try container.encode(state, forKey: .state)
        try container.encode(scopes, forKey: .scopes)
        try container.encode(missing, forKey: .missing)
        try container.encode(expiresAt, forKey: .expiresAt)
        try container.encode(lastPullAt, forKey: .lastPullAt)
        try container.encode(problem, forKey: .problem)
    }

    public static let schema = Schema.object([
        Schema.property("provider", .string), Schema.property("state", .choice(states)),
        Schema.property("scopes", .list(.string)), Schema.property("missing", .list(.string)),
        Schema.property("expires_at", .time.orNull), Schema.property("last_pull_at", .time.orNull),
        Schema.property("problem", .string.orNull),
    ])
    public static let example = Wearable(
        provider: "google_health", state: "live",
        scopes: ["https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly"],
        missing: ["heart_rate", "sleep"], lastPullAt: Instant(milliseconds: 1_795_215_600_000))
}

/// Where a person is asked by a provider. The link counts only once it was confirmed by who asked for it.
public struct WearableAuthorization: Documented, Decodable, Equatable {
    public static let type = "wearable_link"
    /// To be opened in a browser, within ten minutes.
    public var authorizeURL: String

    public init(authorizeURL: String) { self.authorizeURL = authorizeURL }

    enum CodingKeys: String, CodingKey { case authorizeURL = "authorize_url" }

    public static let schema = Schema.object([Schema.property("authorize_url", .string)])
    public static let example = WearableAuthorization(
        authorizeURL: "https://accounts.google.com/o/oauth2/v2/auth?client_id=clinic&response_type=code")
}
