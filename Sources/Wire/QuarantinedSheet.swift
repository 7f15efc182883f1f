/// A refused answer sheet that waits for a decision: of an unknown version, contradicting an earlier one, or completed
/// at a time that cannot be.
public struct QuarantinedSheet<Answers: Encodable & Sendable>: Resource {
    public static var type: String { "quarantined_sheet" }
    public var contributionID: String
    public var reason: String
    public var questionnaireKey: String?
    public var receivedAt: Instant
    public var completedAt: Instant?
    /// When it was discarded; nil while it waits for a decision.
    public var discardedAt: Instant?
    /// What the leads of a study know the person by; nil for therapists.
    public var codename: String?
    /// Whether it can be taken in at all.
    public var admissible: Bool
    public var answers: Answers

    public init(
        contributionID: String, reason: String, questionnaireKey: String?, receivedAt: Instant,
        completedAt: Instant?, discardedAt: Instant? = nil, codename: String? = nil, admissible: Bool,
        answers: Answers
    ) {
        self.contributionID = contributionID
        self.reason = reason
        self.questionnaireKey = questionnaireKey
        self.receivedAt = receivedAt
        self.completedAt = completedAt
        self.discardedAt = discardedAt
        self.codename = codename
        self.admissible = admissible
        self.answers = answers
    }

    enum CodingKeys: String, CodingKey {
        case reason, codename, admissible, answers
        case contributionID = "contribution_id"
        case questionnaireKey = "questionnaire_key"
        case receivedAt = "received_at"
        case completedAt = "completed_at"
        case discardedAt = "discarded_at"
    }
}

extension QuarantinedSheet: Decodable where Answers: Decodable {}

extension QuarantinedSheet: Documented where Answers == Ordered<Answer> {
    public static var schema: Schema {
        .object([
            Schema.property("contribution_id", .id),
            Schema.property("reason", .choice(["unknown_version", "contradiction", "clock"])),
            Schema.property("questionnaire_key", .string.orNull), Schema.property("received_at", .time),
            Schema.property("completed_at", .time.orNull), Schema.property("discarded_at", .time.orNull),
            Schema.property("codename", .string.orNull), Schema.property("admissible", .boolean),
            Schema.property("answers", .map(.either([Answer.schema.orNull, .record]))),
        ])
    }

    public static var example: QuarantinedSheet {
        QuarantinedSheet(
            contributionID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", reason: "clock",
            questionnaireKey: "isf-k",
            receivedAt: Instant(milliseconds: 1_795_000_000_000),
            completedAt: Instant(milliseconds: 1_795_900_000_000), admissible: true,
            answers: Ordered([("q1", .number(3))]))
    }
}
