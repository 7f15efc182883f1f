/// A device's subscription to Web Push (IO-25), without its keys and its full address.
public struct PushSubscription: Documented, Decodable {
    public static let type = "push"
    /// The relay's host.
    public var endpointHost: String
    /// `prompts`: at the times of the notification plan; `changes`: for news.
    public var wants: [String]
    public var createdAt: Instant
    /// When the relay last took a message; nil before the first.
    public var lastAcceptedAt: Instant?
    /// `live`; `ended` once the relay no longer knows it; `stopped` while the relay refuses everything.
    public var state: String

    public init(
        endpointHost: String, wants: [String], createdAt: Instant, lastAcceptedAt: Instant?, state: String
    ) {
        self.endpointHost = endpointHost
        self.wants = wants
        self.createdAt = createdAt
        self.lastAcceptedAt = lastAcceptedAt
        self.state = state
    }

    public static let sent = Schema.object([
        Schema.property("endpoint", .string),
        Schema.property(
            "keys", Schema.object([Schema.property("p256dh", .string), Schema.property("auth", .string)])),
        Schema.property("wants", .list(.string)), Schema.optional("title", .string.orNull),
    ])
    public static let example = PushSubscription(
        endpointHost: "push.example.org", wants: ["prompts"], createdAt: Instant("2026-11-20T09:10:00Z")!,
        lastAcceptedAt: nil, state: "live")
}

/// The key that browsers and apps subscribe with.
public struct PushKey: Documented, Decodable {
    public static let type = "push_key"
    /// 65 bytes of P-256, uncompressed, in base64url.
    public var publicKey: String

    public init(publicKey: String) { self.publicKey = publicKey }

    public static let example = PushKey(
        publicKey: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
}
