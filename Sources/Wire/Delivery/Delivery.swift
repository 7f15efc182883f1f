/// What a patient is assigned automatically, and when.
public struct DeliveryRuleAttributes: Documented, Decodable {
    public static let type = "delivery_rule"
    public var occasion: String
    public var questionnaireKey: String?
    public var batteryID: String?
    public var openHours: Double
    public var every: Int?
    public var unit: String?
    public var startsOn: LocalDate?
    public var at: String?
    public var endsOn: LocalDate?
    public var watchedKey: String?
    public var watchedScale: String?
    public var comparison: String?
    public var threshold: Double?
    public var restDays: Int?
    /// The protocol it comes from; null for the patient's own.
    public var protocolID: String?
    public var createdAt: Instant
    public var stoppedAt: Instant?

    public init(occasion: String, openHours: Double, createdAt: Instant) {
        self.occasion = occasion
        self.openHours = openHours
        self.createdAt = createdAt
    }

    public static let occasions = ["before_session", "therapy_begin", "therapy_end", "repeated", "result"]
    public static let narrowed: [String: Schema] = [
        "occasion": .choice(occasions), "unit": .choice(StudySchedule.units).orNull,
        "comparison": .choice(["at_least", "at_most"]).orNull,
    ]
    /// What a client may send.
    public static let sent = schema.sent.without("protocol_id", "created_at", "stopped_at")
        .with(Schema.optional("open_hours", .number.orNull))
    public static let example: DeliveryRuleAttributes = {
        var rule = DeliveryRuleAttributes(
            occasion: "before_session", openHours: 24, createdAt: Instant(milliseconds: 1_794_000_000_000))
        rule.questionnaireKey = "isf-k"
        return rule
    }()
}
