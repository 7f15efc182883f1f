/// Something that a participant has noted with the button of a questionnaire: a moment, or a span (ST-2).
public struct StudyEvent: Documented, Decodable {
    public static let type = "study_event"

    public var studyID: String
    /// Which of the study's questionnaires has the button.
    public var itemID: String
    public var questionnaireKey: String
    /// `moment` or `span`.
    public var event: String
    public var startedAt: Instant
    /// Nil for a moment, and for a span that goes on.
    public var endedAt: Instant?
    /// The zone of the device that noted it.
    public var timezone: String
    public var receivedAt: Instant
    /// The sheet that names it; nil before it was filled in.
    public var contributionID: String?

    public init(
        studyID: String, itemID: String, questionnaireKey: String, event: String, startedAt: Instant,
        endedAt: Instant?, timezone: String, receivedAt: Instant, contributionID: String?
    ) {
        self.studyID = studyID
        self.itemID = itemID
        self.questionnaireKey = questionnaireKey
        self.event = event
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.timezone = timezone
        self.receivedAt = receivedAt
        self.contributionID = contributionID
    }

    public static let narrowed: [String: Schema] = ["event": .choice(StudyQuestionnaire.events)]
    public static let example = StudyEvent(
        studyID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", itemID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12",
        questionnaireKey: "panic", event: "span", startedAt: Instant(milliseconds: 1_795_215_600_000),
        endedAt: nil, timezone: "Europe/Vienna", receivedAt: Instant(milliseconds: 1_795_215_601_000),
        contributionID: nil)

    /// A missing end says nothing of one that is known.
    public static let sent = Schema.object([
        Schema.property("item_id", .id), Schema.property("started_at", .time),
        Schema.optional("ended_at", .time.orNull), Schema.optional("timezone", .string.orNull),
    ])
}
