/// A questionnaire that waits to be answered.
public struct Assignment: Documented, Decodable {
    public static let type = "assignment"
    public var questionnaireID: String
    public var questionnaireKey: String
    public var version: Int
    public var title: String
    public var source: String
    public var availableFrom: Instant
    public var dueAt: Instant
    public var progress: Progress

    public struct Progress: Codable, Sendable {
        public var answered: Int
        public var total: Int

        public init(answered: Int, total: Int) { (self.answered, self.total) = (answered, total) }
    }

    public init(
        questionnaireID: String, questionnaireKey: String, version: Int, title: String, source: String,
        availableFrom: Instant, dueAt: Instant, progress: Progress
    ) {
        self.questionnaireID = questionnaireID
        self.questionnaireKey = questionnaireKey
        self.version = version
        self.title = title
        self.source = source
        self.availableFrom = availableFrom
        self.dueAt = dueAt
        self.progress = progress
    }

    enum CodingKeys: String, CodingKey {
        case version, title, source, progress
        case questionnaireID = "questionnaire_id"
        case questionnaireKey = "questionnaire_key"
        case availableFrom = "available_from"
        case dueAt = "due_at"
    }

    public static let sources = [
        "therapist", "rule", "appointment", "therapy_begin", "therapy_end", "study", "daily",
    ]
    public static let schema = Schema.object([
        Schema.property("questionnaire_id", .id), Schema.property("questionnaire_key", .string),
        Schema.property("version", .integer), Schema.property("title", .string),
        Schema.property("source", .choice(sources)), Schema.property("available_from", .time),
        Schema.property("due_at", .time),
        Schema.property(
            "progress",
            .object([Schema.property("answered", .integer), Schema.property("total", .integer)])),
    ])
    public static let example = Assignment(
        questionnaireID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", questionnaireKey: "isf-k", version: 1,
        title: "ISF-K", source: "therapist", availableFrom: Instant(milliseconds: 1_795_000_000_000),
        dueAt: Instant(milliseconds: 1_795_600_000_000), progress: Progress(answered: 0, total: 8))
}

/// An answered questionnaire. The server writes the answers as it stored them; clients read them as `Answer`s.
public struct Contribution<Answers: Encodable & Sendable>: Resource {
    public static var type: String { "contribution" }
    public var assignmentID: String?
    public var studyID: String?
    public var questionnaireKey: String
    public var version: Int
    public var title: String
    public var startedAt: Instant
    public var completedAt: Instant
    public var receivedAt: Instant
    public var timezone: String
    public var answers: Answers
    public var scores: Ordered<Double>
    /// Who of the staff entered it from paper; nil for what a device sent.
    public var enteredBy: String?
    /// Filled in behind a link, on whatever device lay there.
    public var onSite: Bool? = false
    /// Sensors whose values were not kept because the person had switched them off; nil where nothing was left out.
    public var sensorsDropped: [String]?

    public init(
        assignmentID: String?, studyID: String?, questionnaireKey: String, version: Int, title: String,
        startedAt: Instant, completedAt: Instant, receivedAt: Instant, timezone: String, answers: Answers,
        scores: Ordered<Double>
    ) {
        self.assignmentID = assignmentID
        self.studyID = studyID
        self.questionnaireKey = questionnaireKey
        self.version = version
        self.title = title
        self.startedAt = startedAt
        self.completedAt = completedAt
        self.receivedAt = receivedAt
        self.timezone = timezone
        self.answers = answers
        self.scores = scores
    }

    enum CodingKeys: String, CodingKey {
        case version, title, timezone, answers, scores
        case assignmentID = "assignment_id"
        case studyID = "study_id"
        case questionnaireKey = "questionnaire_key"
        case startedAt = "started_at"
        case completedAt = "completed_at"
        case receivedAt = "received_at"
        case enteredBy = "entered_by"
        case onSite = "on_site"
        case sensorsDropped = "sensors_dropped"
    }
}

extension Contribution: Decodable where Answers: Decodable {}

extension Contribution: Documented where Answers == Ordered<Answer> {
    public static var schema: Schema {
        .object([
            Schema.property("assignment_id", .id.orNull), Schema.property("study_id", .id.orNull),
            Schema.property("questionnaire_key", .string), Schema.property("version", .integer),
            Schema.property("title", .string), Schema.property("started_at", .time),
            Schema.property("completed_at", .time), Schema.property("received_at", .time),
            Schema.property("timezone", .string), Schema.property("answers", .map(Answer.schema.orNull)),
            Schema.property("scores", .map(.number.orNull)),
            Schema.optional("entered_by", .string.orNull), Schema.property("on_site", .boolean),
            Schema.property("sensors_dropped", Schema.list(.choice(["gps", "microphone"])).orNull),
        ])
    }

    public static var example: Contribution {
        let completed = Instant(milliseconds: 1_795_000_000_000)
        return Contribution(
            assignmentID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", studyID: nil, questionnaireKey: "isf-k",
            version: 1,
            title: "ISF-K", startedAt: completed.adding(seconds: -90), completedAt: completed,
            receivedAt: completed, timezone: "Europe/Vienna",
            answers: Ordered([("q1", .number(3)), ("q2", .numbers([1, 2])), ("q3", nil)]),
            scores: Ordered([("intensity", 2.5), ("negative", nil)]))
    }
}
