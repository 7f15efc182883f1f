/// A profile as it is by now (SN-4): of every question the latest answer, null for what was taken back.
public struct ProfileAnswers<Answers: Encodable & Sendable>: Resource {
    public static var type: String { "profile_answers" }
    public var questionnaireID: String
    public var answers: Answers
    /// When each was given, changed or taken back last.
    public var changedAt: Ordered<Instant>
    public var progress: Assignment.Progress

    public init(
        questionnaireID: String, answers: Answers, changedAt: Ordered<Instant>, progress: Assignment.Progress
    ) {
        self.questionnaireID = questionnaireID
        self.answers = answers
        self.changedAt = changedAt
        self.progress = progress
    }

    enum CodingKeys: String, CodingKey {
        case answers, progress
        case questionnaireID = "questionnaire_id"
        case changedAt = "changed_at"
    }
}

extension ProfileAnswers: Decodable where Answers: Decodable {}

extension ProfileAnswers: Documented where Answers == Ordered<Answer> {
    public static var schema: Schema {
        .object([
            Schema.property("questionnaire_id", .id), Schema.property("answers", .map(Answer.schema.orNull)),
            Schema.property("changed_at", .map(.time)),
            Schema.property(
                "progress",
                .object([Schema.property("answered", .integer), Schema.property("total", .integer)])),
        ])
    }

    public static var example: ProfileAnswers {
        ProfileAnswers(
            questionnaireID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
            answers: Ordered([("since", .number(3)), ("words", nil)]),
            changedAt: Ordered([
                ("since", Instant(milliseconds: 1_795_000_000_000)),
                ("words", Instant(milliseconds: 1_795_000_600_000)),
            ]),
            progress: .init(answered: 1, total: 14))
    }
}
