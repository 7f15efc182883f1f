/// A session to come that the practice has noted and the patient has no appointment for: its time, and nothing else.
public struct NotedSession: Documented, Decodable {
    public static let type = "noted_session"
    public var startsAt: Instant
    public var endsAt: Instant

    public init(startsAt: Instant, endsAt: Instant) {
        self.startsAt = startsAt
        self.endsAt = endsAt
    }

    enum CodingKeys: String, CodingKey {
        case startsAt = "starts_at"
        case endsAt = "ends_at"
    }

    public static let schema = Schema.object([
        Schema.property("starts_at", .time), Schema.property("ends_at", .time),
    ])
    public static let example = NotedSession(
        startsAt: Instant(milliseconds: 1_795_086_000_000), endsAt: Instant(milliseconds: 1_795_089_000_000))
}
