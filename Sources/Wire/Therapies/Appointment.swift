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

    /// What a client may send.
    public static let sent = schema.sent
    public static let example = Appointment(
        title: "Sitzung", startsAt: Instant(milliseconds: 1_795_086_000_000),
        endsAt: Instant(milliseconds: 1_795_089_000_000), comment: nil)
}
