/// The present answers of a profile (SN-4): the latest to every question, null for those taken back.
public struct ProfileAnswers<Answers: Encodable & Sendable>: Resource {
    public static var type: String { "profile_answers" }
    public var questionnaireID: String
    public var answers: Answers
    /// When each was last given, changed or taken back.
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
}

extension ProfileAnswers: Decodable where Answers: Decodable {}

extension ProfileAnswers: Documented, Shaped, Narrowed where Answers == Ordered<Answer> {
    public static var narrowed: [String: Schema] { ["changedAt": .map(.time)] }

    public static var example: ProfileAnswers {
        ProfileAnswers(
            questionnaireID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
            answers: Ordered([("since", .number(3)), ("words", nil)]),
            changedAt: Ordered([("since", .example), ("words", Instant(milliseconds: 1_795_000_600_000))]),
            progress: .init(answered: 1, total: 14))
    }
}
