/// What somebody says to the project's team (TYT-4).
public struct FeedbackMessage: Documented, Decodable {
    public static let type = "feedback_message"
    public static let limit = 5_000

    public var text: String
    /// Where an answer may go; null where none is wanted.
    public var replyTo: String?
    public var receivedAt: Instant

    public init(text: String, replyTo: String?, receivedAt: Instant) {
        self.text = text
        self.replyTo = replyTo
        self.receivedAt = receivedAt
    }

    enum CodingKeys: String, CodingKey {
        case text
        case replyTo = "reply_to"
        case receivedAt = "received_at"
    }

    public static let sent = Schema.object([
        Schema.property("text", .string), Schema.optional("reply_to", .string.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("text", .string), Schema.property("reply_to", .string.orNull),
        Schema.property("received_at", .time),
    ])
    public static let example = FeedbackMessage(
        text: "Die Erinnerung am Abend hilft mir.", replyTo: "pia@example.org",
        receivedAt: Instant(milliseconds: 1_795_000_000_000))
}
