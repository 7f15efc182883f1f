/// The plan of a therapy, defined once: questionnaires with their occasions, dailies, reactions and interventions on
/// days.
public struct TreatmentProtocol: Documented, Decodable {
    public static let type = "protocol"

    /// The batteries that every patient has.
    public struct Batteries: Codable, Sendable, Equatable, Narrowed {
        public var beforeSession: String?
        public var therapyBegin: String?
        public var therapyEnd: String?

        public init() {}

        public static let narrowed: [String: Schema] = [
            "beforeSession": .id.orNull, "therapyBegin": .id.orNull, "therapyEnd": .id.orNull,
        ]
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
    }

    public var name: String
    /// `own`, `clinic` for all therapists' patients, `study` for participants of one.
    public var scope: String
    public var studyID: String?
    /// The keys of the arms of the study that it acts on, named when it is made; nil for all.
    public var arms: [String]?
    public var batteries = Batteries()
    public var plan: [ProtocolPlanEntry] = []
    /// Switches the dailies on or off; null leaves them unchanged.
    public var dailies: Bool?
    public var ruleIDs: [String] = []
    public var interventions: [Intervention] = []
    /// Whether it is the default for the caller's new patients.
    public var isDefault = false
    /// Whether the caller may change it.
    public var editable = true
    /// The number of running therapies it is in force for.
    public var therapies = 0
    /// The number of them that have kept a former definition.
    public var behind = 0
    /// Parts of it that can never reach a patient.
    public var warnings: [String] = []
    public var createdAt: Instant
    public var changedAt: Instant

    public init(name: String, scope: String, createdAt: Instant, changedAt: Instant) {
        self.name = name
        self.scope = scope
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    public static let scopes = ["own", "clinic", "study"]
    private static let content: [Schema.Property] = [
        Schema.optional("batteries", .of(Batteries.self).sent),
        Schema.optional("plan", .list(ProtocolPlanEntry.sent)),
        Schema.optional("dailies", .boolean.orNull), Schema.optional("rule_ids", .list(.id)),
        Schema.optional("interventions", .list(.of(Intervention.self))),
        Schema.optional("is_default", .boolean), Schema.optional("permission_confirmed", .boolean.orNull),
        Schema.optional("follow", .boolean.orNull),
    ]
    /// What a client may send to make one.
    public static let draft = Schema.object(
        [
            Schema.property("name", .string), Schema.optional("scope", .choice(scopes)),
            Schema.optional("study_id", .id.orNull), Schema.optional("arms", Schema.list(.string).orNull),
        ] + content)
    /// What a client may send to change one.
    public static let change = Schema.object([Schema.optional("name", .string)] + content)
    public static let narrowed: [String: Schema] = ["scope": .choice(scopes)]
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
public struct ProtocolPlanEntry: Codable, Sendable, Equatable, Narrowed {
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

    public static let narrowed = DeliveryRuleAttributes.narrowed
    /// What a client may send.
    public static let sent = Schema.of(Self.self).sent.with(Schema.optional("open_hours", .number.orNull))
    public static let example: ProtocolPlanEntry = {
        var example = ProtocolPlanEntry(occasion: "before_session", openHours: 24)
        example.questionnaireKey = "isf-k"
        return example
    }()
}
