import Wire

/// A refused answer sheet that waits for a decision: of an unknown version, contradicting an earlier one, completed at
/// an impossible time, or after what asked for it had ended.
struct QuarantinedSheet<Answers: Encodable & Sendable>: Resource {
    static var type: String { "quarantined_sheet" }
    var contributionID: String
    var reason: String
    var questionnaireKey: String?
    var receivedAt: Instant
    var completedAt: Instant?
    /// When it was discarded; nil while it waits for a decision.
    var discardedAt: Instant?
    /// The participant's codename, for the leads of a study; nil for therapists.
    var codename: String?
    /// Whether it can be admitted at all.
    var admissible: Bool
    var answers: Answers
}

extension QuarantinedSheet: Decodable where Answers: Decodable {}

extension QuarantinedSheet: Documented, Shaped, Narrowed where Answers == Ordered<Answer> {
    static var narrowed: [String: Schema] {
        [
            "reason": .choice(["unknown_version", "contradiction", "clock", "ended"]),
            "answers": .map(.either([Answer.schema.orNull, .record])),
        ]
    }

    static var example: QuarantinedSheet {
        QuarantinedSheet(
            contributionID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", reason: "clock",
            questionnaireKey: "isf-k", receivedAt: .example,
            completedAt: Instant(milliseconds: 1_795_900_000_000), admissible: true,
            answers: Ordered([("q1", .number(3))]))
    }
}
