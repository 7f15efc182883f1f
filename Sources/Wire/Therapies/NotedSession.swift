/// A coming session noted by the practice without an appointment of the patient: only its time.
public struct NotedSession: Documented, Decodable {
    public static let type = "noted_session"
    public var startsAt: Instant
    public var endsAt: Instant

    public init(startsAt: Instant, endsAt: Instant) {
        self.startsAt = startsAt
        self.endsAt = endsAt
    }

    public static let example = NotedSession(
        startsAt: Instant(milliseconds: 1_795_086_000_000), endsAt: Instant(milliseconds: 1_795_089_000_000))
}
