/// What became of an assignment: planned, fetched by a device, notified, opened, answered or expired. What the
/// server cannot see, the app reports.
public struct Delivery: Documented, Decodable {
    public static let type = "delivery"
    public var questionnaireKey: String
    public var version: Int
    public var title: String
    public var source: String
    public var state: String
    public var availableFrom: Instant
    public var dueAt: Instant
    public var plannedAt: Instant
    public var fetchedAt: Instant?
    public var notifiedAt: Instant?
    /// When a relay took the reminder, and when a browser showed it.
    public var pushedAt: Instant?
    public var shownAt: Instant?
    public var openedAt: Instant?
    public var answeredAt: Instant?
    /// The deadline, once it has passed without an answer.
    public var expiredAt: Instant?
    public var withdrawnAt: Instant?

    public init(
        questionnaireKey: String, version: Int, title: String, source: String, state: String,
        availableFrom: Instant, dueAt: Instant, plannedAt: Instant
    ) {
        self.questionnaireKey = questionnaireKey
        self.version = version
        self.title = title
        self.source = source
        self.state = state
        self.availableFrom = availableFrom
        self.dueAt = dueAt
        self.plannedAt = plannedAt
    }

    enum CodingKeys: String, CodingKey {
        case version, title, source, state
        case questionnaireKey = "questionnaire_key"
        case availableFrom = "available_from"
        case dueAt = "due_at"
        case plannedAt = "planned_at"
        case fetchedAt = "fetched_at"
        case notifiedAt = "notified_at"
        case pushedAt = "pushed_at"
        case shownAt = "shown_at"
        case openedAt = "opened_at"
        case answeredAt = "answered_at"
        case expiredAt = "expired_at"
        case withdrawnAt = "withdrawn_at"
    }

    public static let states = ["coming", "open", "answered", "missed", "withdrawn"]
    public static let schema = Schema.object([
        Schema.property("questionnaire_key", .string), Schema.property("version", .integer),
        Schema.property("title", .string), Schema.property("source", .choice(Assignment.sources)),
        Schema.property("state", .choice(states)), Schema.property("available_from", .time),
        Schema.property("due_at", .time), Schema.property("planned_at", .time),
        Schema.property("fetched_at", .time.orNull), Schema.property("notified_at", .time.orNull),
        Schema.property("pushed_at", .time.orNull), Schema.property("shown_at", .time.orNull),
        Schema.property("opened_at", .time.orNull), Schema.property("answered_at", .time.orNull),
        Schema.property("expired_at", .time.orNull), Schema.property("withdrawn_at", .time.orNull),
    ])
    public static let example = Delivery(
        questionnaireKey: "isf-k", version: 1, title: "ISF-K", source: "appointment", state: "coming",
        availableFrom: Instant(milliseconds: 1_795_000_000_000),
        dueAt: Instant(milliseconds: 1_795_086_400_000),
        plannedAt: Instant(milliseconds: 1_794_000_000_000))
}

/// A named, ordered set of questionnaires.
public struct QuestionnaireBattery: Documented, Decodable {
    public static let type = "battery"
    public var name: String
    public var questionnaireKeys: [String]

    public init(name: String, questionnaireKeys: [String]) {
        self.name = name
        self.questionnaireKeys = questionnaireKeys
    }

    enum CodingKeys: String, CodingKey {
        case name
        case questionnaireKeys = "questionnaire_keys"
    }

    public static let schema = Schema.object([
        Schema.property("name", .string), Schema.property("questionnaire_keys", .list(.string)),
    ])
    /// What may be sent to change one.
    public static let change = Schema.object([
        Schema.optional("name", .string), Schema.optional("questionnaire_keys", .list(.string)),
    ])
    public static let example = QuestionnaireBattery(name: "Beginn", questionnaireKeys: ["isf-k", "rq"])
}

/// What a patient gets by itself, and when.
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
    /// Which protocol it comes from; null for the patient's own.
    public var protocolID: String?
    public var createdAt: Instant
    public var stoppedAt: Instant?

    public init(occasion: String, openHours: Double, createdAt: Instant) {
        self.occasion = occasion
        self.openHours = openHours
        self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
        case occasion, every, unit, at, comparison, threshold
        case questionnaireKey = "questionnaire_key"
        case batteryID = "battery_id"
        case openHours = "open_hours"
        case startsOn = "starts_on"
        case endsOn = "ends_on"
        case watchedKey = "watched_key"
        case watchedScale = "watched_scale"
        case restDays = "rest_days"
        case protocolID = "protocol_id"
        case createdAt = "created_at"
        case stoppedAt = "stopped_at"
    }

    public static let occasions = ["before_session", "therapy_begin", "therapy_end", "repeated", "result"]
    /// What a client may send.
    public static let sent: [Schema.Property] = [
        Schema.property("occasion", .choice(occasions)), Schema.optional("questionnaire_key", .string.orNull),
        Schema.optional("battery_id", .id.orNull), Schema.optional("open_hours", .number.orNull),
        Schema.optional("every", .integer.orNull),
        Schema.optional("unit", Schema.choice(["day", "week", "month"]).orNull),
        Schema.optional("starts_on", .date.orNull), Schema.optional("at", .string.orNull),
        Schema.optional("ends_on", .date.orNull), Schema.optional("watched_key", .string.orNull),
        Schema.optional("watched_scale", .string.orNull),
        Schema.optional("comparison", Schema.choice(["at_least", "at_most"]).orNull),
        Schema.optional("threshold", .number.orNull), Schema.optional("rest_days", .integer.orNull),
    ]
    public static let schema = Schema.object(
        sent.map { Schema.property($0.name, $0.schema) } + [
            Schema.property("protocol_id", .id.orNull),
            Schema.property("created_at", .time), Schema.property("stopped_at", .time.orNull),
        ])
    public static let example: DeliveryRuleAttributes = {
        var rule = DeliveryRuleAttributes(
            occasion: "before_session", openHours: 24, createdAt: Instant(milliseconds: 1_794_000_000_000))
        rule.questionnaireKey = "isf-k"
        return rule
    }()
}
