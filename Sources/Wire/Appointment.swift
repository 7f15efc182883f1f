/// A patient's appointment.
public struct Appointment: Documented, Decodable {
    public static let type = "appointment"
    public var title: String
    public var startsAt: Instant
    public var endsAt: Instant
    public var comment: String?

    public init(title: String, startsAt: Instant, endsAt: Instant, comment: String?) {
        self.title = title
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.comment = comment
    }

    enum CodingKeys: String, CodingKey {
        case title, comment
        case startsAt = "starts_at"
        case endsAt = "ends_at"
    }

    /// What a client may send.
    public static let sent = Schema.object([
        Schema.property("title", .string), Schema.property("starts_at", .time),
        Schema.property("ends_at", .time), Schema.optional("comment", .string.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("title", .string), Schema.property("starts_at", .time),
        Schema.property("ends_at", .time), Schema.property("comment", .string.orNull),
    ])
    public static let example = Appointment(
        title: "Sitzung", startsAt: Instant(milliseconds: 1_795_086_000_000),
        endsAt: Instant(milliseconds: 1_795_089_000_000), comment: nil)
}
