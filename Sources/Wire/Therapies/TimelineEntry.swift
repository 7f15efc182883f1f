/// One value of one scale.
public struct Score: Documented, Decodable {
    public static let type = "score"
    public var questionnaireKey: String
    public var scale: String
    public var at: Instant
    public var value: Double?
    public var answered: Int
    public var items: Int

    public init(
        questionnaireKey: String, scale: String, at: Instant, value: Double?, answered: Int, items: Int
    ) {
        self.questionnaireKey = questionnaireKey
        self.scale = scale
        self.at = at
        self.value = value
        self.answered = answered
        self.items = items
    }

    public static let example = Score(
        questionnaireKey: "isf-k", scale: "intensity", at: .example, value: 2.5, answered: 6, items: 6)
}

/// A questionnaire as staff list it.
public struct QuestionnaireVersion: Documented, Decodable {
    public static let type = "questionnaire"
    public var key: String
    public var version: Int
    public var title: String
    public var description: String?
    public var questions: Int
    /// Whether it may be printed as a blank form.
    public var printable: Bool

    public init(
        key: String, version: Int, title: String, description: String?, questions: Int, printable: Bool
    ) {
        self.key = key
        self.version = version
        self.title = title
        self.description = description
        self.questions = questions
        self.printable = printable
    }

    public static let example = QuestionnaireVersion(
        key: "isf-k", version: 1, title: "ISF-K", description: nil, questions: 8, printable: false)
}
