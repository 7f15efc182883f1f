import Wire

/// A message to the project's team (TYT-4).
struct FeedbackMessage: Documented, Decodable {
    static let type = "feedback_message"
    static let limit = 5_000

    var text: String
    /// The address for an answer; null when none is wanted.
    var replyTo: String?
    var receivedAt: Instant

    static let sent = schema.sent.without("received_at")
    static let example = FeedbackMessage(
        text: "Die Erinnerung am Abend hilft mir.", replyTo: "pia@example.org", receivedAt: .example)
}
