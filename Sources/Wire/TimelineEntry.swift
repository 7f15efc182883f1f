/// One thing that happened in a therapy.
public struct TimelineEntry: Documented, Decodable {
    public static let type = "timeline_entry"
    public static let kinds = [
        "pairing", "assignment", "contribution", "daily", "intervention", "session", "alert", "note",
        "therapy",
    ]
    public var kind: String
    public var at: Instant
    public var title: String
    public var summary: String?
    public var scores: Ordered<Double>?
    public var subjectID: String?

    public init(
        kind: String, at: Instant, title: String, summary: String?, scores: Ordered<Double>?,
        subjectID: String?
    ) {
        self.kind = kind
        self.at = at
        self.title = title
        self.summary = summary
        self.scores = scores
        self.subjectID = subjectID
    }

    enum CodingKeys: String, CodingKey {
        case kind, at, title, summary, scores
        case subjectID = "subject_id"
    }

    public static let schema = Schema.object([
        Schema.property("kind", .choice(kinds)), Schema.property("at", .time),
        Schema.property("title", .string),
        Schema.property("summary", .string.orNull),
        Schema.property("scores", Schema.map(.number.orNull).orNull),
        Schema.property("subject_id", .string.orNull),
    ])
    public static let example = TimelineEntry(
        kind: "contribution", at: Instant(milliseconds: 1_795_000_000_000), title: "ISF-K",
        summary: "8 von 8",
        scores: Ordered([("intensity", 2.5)]), subjectID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12")
}

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

    enum CodingKeys: String, CodingKey {
        case scale, at, value, answered, items
        case questionnaireKey = "questionnaire_key"
    }

    public static let schema = Schema.object([
        Schema.property("questionnaire_key", .string), Schema.property("scale", .string),
        Schema.property("at", .time), Schema.property("value", .number.orNull),
        Schema.property("answered", .integer), Schema.property("items", .integer),
    ])
    public static let example = Score(
        questionnaireKey: "isf-k", scale: "intensity", at: Instant(milliseconds: 1_795_000_000_000),
        value: 2.5,
        answered: 6, items: 6)
}

/// A questionnaire as staff list it.
public struct QuestionnaireVersion: Documented, Decodable {
    public static let type = "questionnaire"
    public var key: String
    public var version: Int
    public var title: String
    public var description: String?
    public var questions: Int

    public init(key: String, version: Int, title: String, description: String?, questions: Int) {
        self.key = key
        self.version = version
        self.title = title
        self.description = description
        self.questions = questions
    }

    public static let schema = Schema.object([
        Schema.property("key", .string), Schema.property("version", .integer),
        Schema.property("title", .string),
        Schema.property("description", .string.orNull), Schema.property("questions", .integer),
    ])
    public static let example = QuestionnaireVersion(
        key: "isf-k", version: 1, title: "ISF-K", description: nil, questions: 8)
}
