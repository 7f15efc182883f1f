/// What somebody who begins a therapy gets, defined once: questionnaires with their occasions, dailies, reactions and
/// interventions on days.
public struct TreatmentProtocol: Documented, Decodable {
    public static let type = "protocol"

    /// The batteries that every patient has.
    public struct Batteries: Codable, Sendable, Equatable {
        public var beforeSession: String?
        public var therapyBegin: String?
        public var therapyEnd: String?

        public init() {}

        enum CodingKeys: String, CodingKey {
            case beforeSession = "before_session"
            case therapyBegin = "therapy_begin"
            case therapyEnd = "therapy_end"
        }
    }

    /// A text of the library on a day of the therapy.
    public struct Intervention: Codable, Sendable, Equatable {
        public var interventionID: String
        /// From 0, the day on which the therapy begins.
        public var day: Int

        public init(interventionID: String, day: Int) {
            self.interventionID = interventionID
            self.day = day
        }

        enum CodingKeys: String, CodingKey {
            case day
            case interventionID = "intervention_id"
        }

        public static let schema = Schema.object([
            Schema.property("intervention_id", .id), Schema.property("day", .integer),
        ])
    }

    public var name: String
    /// `own`, `clinic` for everybody's patients, `study` for those who take part in one.
    public var scope: String
    public var studyID: String?
    public var batteries = Batteries()
    public var plan: [ProtocolPlanEntry] = []
    /// Switches the dailies on or off; null leaves them as they are.
    public var dailies: Bool?
    public var ruleIDs: [String] = []
    public var interventions: [Intervention] = []
    /// Whether the caller's new patients get it.
    public var isDefault = false
    /// Whether the caller may change it.
    public var editable = true
    /// In how many running therapies it is in force.
    public var therapies = 0
    /// In how many of them it is in force as it was before a change.
    public var behind = 0
    /// What in it can never reach anybody.
    public var warnings: [String] = []
    public var createdAt: Instant
    public var changedAt: Instant

    public init(name: String, scope: String, createdAt: Instant, changedAt: Instant) {
        self.name = name
        self.scope = scope
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    enum CodingKeys: String, CodingKey {
        case name, scope, batteries, plan, dailies, interventions, editable, therapies, behind, warnings
        case studyID = "study_id"
        case ruleIDs = "rule_ids"
        case isDefault = "is_default"
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }

    public static let scopes = ["own", "clinic", "study"]
    private static let batteriesSent = Schema.object([
        Schema.optional("before_session", .id.orNull), Schema.optional("therapy_begin", .id.orNull),
        Schema.optional("therapy_end", .id.orNull),
    ])
    private static let content: [Schema.Property] = [
        Schema.optional("batteries", batteriesSent), Schema.optional("plan", .list(ProtocolPlanEntry.sent)),
        Schema.optional("dailies", .boolean.orNull), Schema.optional("rule_ids", .list(.id)),
        Schema.optional("interventions", .list(Intervention.schema)),
        Schema.optional("is_default", .boolean), Schema.optional("permission_confirmed", .boolean.orNull),
        Schema.optional("follow", .boolean.orNull),
    ]
    /// What a client may send to make one.
    public static let draft = Schema.object(
        [
            Schema.property("name", .string), Schema.optional("scope", .choice(scopes)),
            Schema.optional("study_id", .id.orNull),
        ] + content)
    /// What a client may send to change one.
    public static let change = Schema.object([Schema.optional("name", .string)] + content)
    public static let schema = Schema.object([
        Schema.property("name", .string), Schema.property("scope", .choice(scopes)),
        Schema.property("study_id", .id.orNull),
        Schema.property(
            "batteries",
            Schema.object([
                Schema.property("before_session", .id.orNull), Schema.property("therapy_begin", .id.orNull),
                Schema.property("therapy_end", .id.orNull),
            ])),
        Schema.property("plan", .list(ProtocolPlanEntry.schema)),
        Schema.property("dailies", .boolean.orNull), Schema.property("rule_ids", .list(.id)),
        Schema.property("interventions", .list(Intervention.schema)),
        Schema.property("is_default", .boolean), Schema.property("editable", .boolean),
        Schema.property("therapies", .integer), Schema.property("behind", .integer),
        Schema.property("warnings", .list(.string)), Schema.property("created_at", .time),
        Schema.property("changed_at", .time),
    ])
    public static let example: TreatmentProtocol = {
        let at = Instant(milliseconds: 1_794_000_000_000)
        var example = TreatmentProtocol(name: "Standard", scope: "own", createdAt: at, changedAt: at)
        example.plan = [.example]
        example.dailies = true
        example.interventions = [
            .init(interventionID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", day: 3)
        ]
        return example
    }()
}

/// What a protocol asks when: as a rule of delivery, with days of the therapy instead of dates.
public struct ProtocolPlanEntry: Codable, Sendable, Equatable {
    public var occasion: String
    public var questionnaireKey: String?
    public var batteryID: String?
    public var openHours: Double
    public var every: Int?
    public var unit: String?
    /// From 0, the day on which the therapy begins.
    public var startDay: Int?
    public var at: String?
    public var endDay: Int?
    public var watchedKey: String?
    public var watchedScale: String?
    public var comparison: String?
    public var threshold: Double?
    public var restDays: Int?

    public init(occasion: String, openHours: Double) {
        self.occasion = occasion
        self.openHours = openHours
    }

    enum CodingKeys: String, CodingKey {
        case occasion, every, unit, at, comparison, threshold
        case questionnaireKey = "questionnaire_key"
        case batteryID = "battery_id"
        case openHours = "open_hours"
        case startDay = "start_day"
        case endDay = "end_day"
        case watchedKey = "watched_key"
        case watchedScale = "watched_scale"
        case restDays = "rest_days"
    }

    private static let fields: [(String, Schema)] = [
        ("questionnaire_key", .string.orNull), ("battery_id", .id.orNull), ("open_hours", .number.orNull),
        ("every", .integer.orNull), ("unit", Schema.choice(["day", "week", "month"]).orNull),
        ("start_day", .integer.orNull), ("at", .string.orNull), ("end_day", .integer.orNull),
        ("watched_key", .string.orNull), ("watched_scale", .string.orNull),
        ("comparison", Schema.choice(["at_least", "at_most"]).orNull), ("threshold", .number.orNull),
        ("rest_days", .integer.orNull),
    ]
    /// What a client may send.
    public static let sent = Schema.object(
        [Schema.property("occasion", .choice(DeliveryRuleAttributes.occasions))]
            + fields.map { Schema.optional($0.0, $0.1) })
    public static let schema = Schema.object(
        [Schema.property("occasion", .choice(DeliveryRuleAttributes.occasions))]
            + fields.map { Schema.property($0.0, $0.0 == "open_hours" ? .number : $0.1) })
    public static let example: ProtocolPlanEntry = {
        var example = ProtocolPlanEntry(occasion: "before_session", openHours: 24)
        example.questionnaireKey = "isf-k"
        return example
    }()
}
