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

    public static let sources = [
        "therapist", "rule", "appointment", "therapy_begin", "therapy_end", "study", "daily",
    ]
    public static let narrowed: [String: Schema] = ["source": .choice(sources)]
    public static let example = Assignment(
        questionnaireID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", questionnaireKey: "isf-k", version: 1,
        title: "ISF-K", source: "therapist", availableFrom: .example,
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
    /// What the device called its zone, where no zone has that name: the account's counts then.
    public var zoneWord: String?
    public var answers: Answers
    public var scores: Ordered<Double>
    /// The member of staff who entered it from paper; nil for a device's sheet.
    public var enteredBy: String?
    /// Filled in behind a link, on any device.
    public var onSite: Bool? = false
    /// Sensors whose values were dropped because the person had switched them off; nil without any.
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
}

extension Contribution: Decodable where Answers: Decodable {}

extension Contribution: Documented, Shaped, Narrowed where Answers == Ordered<Answer> {
    public static var narrowed: [String: Schema] {
        [
            "onSite": .boolean, "sensorsDropped": Schema.list(.choice(["gps", "microphone"])).orNull,
        ]
    }

    public static var example: Contribution {
        let completed = Instant.example
        return Contribution(
            assignmentID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", studyID: nil, questionnaireKey: "isf-k",
            version: 1, title: "ISF-K", startedAt: completed.adding(seconds: -90), completedAt: completed,
            receivedAt: completed, timezone: "Europe/Vienna",
            answers: Ordered([("q1", .number(3)), ("q2", .numbers([1, 2])), ("q3", nil)]),
            scores: Ordered([("intensity", 2.5), ("negative", nil)]))
    }
}
