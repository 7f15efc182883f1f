/// One condition of a rule over results. Which fields have a value depends on the kind.
public struct RuleCondition: Codable, Sendable, Equatable {
    public static let kinds = [
        "answer", "score", "change", "reliable_worsening", "reliable_improvement", "mean", "missed", "silent",
    ]
    public static let comparisons = ["at_least", "at_most", "above", "below", "equals"]
    public var kind: String
    public var questionnaireKey: String?
    /// The key of a question (`answer`) or of a scale.
    public var item: String?
    public var comparison: String?
    public var value: Double?
    /// In how many of the last sheets (`answer`, `score`); how many in a row (`missed`).
    public var times: Int?
    /// How many sheets are looked at (`answer`, `score`, `mean`).
    public var of: Int?
    /// What a change is measured from: `begin` or `last`, the measurement before.
    public var since: String?
    /// `silent`: for how many days.
    public var days: Int?

    public init(kind: String) { self.kind = kind }

    enum CodingKeys: String, CodingKey {
        case kind, item, comparison, value, times, of, since, days
        case questionnaireKey = "questionnaire_key"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(questionnaireKey, forKey: .questionnaireKey)
        try container.encode(item, forKey: .item)
        try container.encode(comparison, forKey: .comparison)
        try container.encode(value, forKey: .value)
        try container.encode(times, forKey: .times)
        try container.encode(of, forKey: .of)
        try container.encode(since, forKey: .since)
        try container.encode(days, forKey: .days)
    }

    /// What a client may send.
    public static let sent = Schema.object([
        Schema.property("kind", .choice(kinds)), Schema.optional("questionnaire_key", .string.orNull),
        Schema.optional("item", .string.orNull),
        Schema.optional("comparison", Schema.choice(comparisons).orNull),
        Schema.optional("value", .number.orNull), Schema.optional("times", .integer.orNull),
        Schema.optional("of", .integer.orNull),
        Schema.optional("since", Schema.choice(["begin", "last"]).orNull),
        Schema.optional("days", .integer.orNull),
    ])
    public static let schema: Schema = {
        guard case .object(let properties) = sent else { return sent }
        return .object(properties.map { Schema.property($0.name, $0.schema) })
    }()
}

/// When … then …: what a therapist wants to happen by itself.
public struct RuleAttributes: Documented, Decodable {
    public static let type = "rule"
    public var name: String
    /// `all` or `any` of the conditions.
    public var combine: String
    public var conditions: [RuleCondition]
    /// At most once in so many days, for each patient.
    public var restDays: Int
    /// Only when a session lies within so many days.
    public var sessionWithinDays: Int?
    /// What follows: an intervention of the library, a line in the briefing, an alert with what to do, a mail without
    /// content.
    public var interventionID: String?
    public var briefing: String?
    public var alert: String?
    public var advice: String?
    public var mail: Bool
    /// For whom; null for every patient of the caller.
    public var patientIDs: [String]?
    public var enabled = false
    /// Where the rule can never be met, or always is.
    public var warnings: [String] = []
    public var firings = 0
    public var lastFiredAt: Instant?
    public var createdAt: Instant?
    public var changedAt: Instant?

    public init(
        name: String, combine: String, conditions: [RuleCondition], restDays: Int, sessionWithinDays: Int?,
        interventionID: String?, briefing: String?, alert: String?, advice: String?, mail: Bool
    ) {
        self.name = name
        self.combine = combine
        self.conditions = conditions
        self.restDays = restDays
        self.sessionWithinDays = sessionWithinDays
        self.interventionID = interventionID
        self.briefing = briefing
        self.alert = alert
        self.advice = advice
        self.mail = mail
    }

    enum CodingKeys: String, CodingKey {
        case name, combine, conditions, briefing, alert, advice, mail, enabled, warnings, firings
        case restDays = "rest_days"
        case sessionWithinDays = "session_within_days"
        case interventionID = "intervention_id"
        case patientIDs = "patient_ids"
        case lastFiredAt = "last_fired_at"
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }

    private static let content: [(String, Schema)] = [
        ("combine", .choice(["all", "any"])), ("rest_days", .integer),
        ("session_within_days", .integer.orNull), ("intervention_id", .id.orNull),
        ("briefing", .string.orNull), ("alert", .string.orNull), ("advice", .string.orNull),
        ("mail", .boolean), ("patient_ids", Schema.list(.id).orNull), ("enabled", .boolean),
    ]
    /// What a client may send; a change sends what it changes.
    public static func sent(isChange: Bool) -> Schema {
        let head: [Schema.Property] = [
            isChange ? Schema.optional("name", .string) : Schema.property("name", .string),
            isChange
                ? Schema.optional("conditions", .list(RuleCondition.sent))
                : Schema.property("conditions", .list(RuleCondition.sent)),
        ]
        // Null leaves it at what it is without being sent.
        return .object(head + content.map { Schema.optional($0.0, .nullable($0.1)) })
    }
    public static let schema = Schema.object(
        [Schema.property("name", .string), Schema.property("conditions", .list(RuleCondition.schema))]
            + content.map { Schema.property($0.0, $0.1) } + [
                Schema.property("warnings", .list(.string)), Schema.property("firings", .integer),
                Schema.property("last_fired_at", .time.orNull), Schema.property("created_at", .time.orNull),
                Schema.property("changed_at", .time.orNull),
            ])
    public static let example: RuleAttributes = {
        var condition = RuleCondition(kind: "score")
        condition.questionnaireKey = "intersession-daily"
        condition.item = "feeling"
        condition.comparison = "at_most"
        condition.value = 2
        condition.times = 2
        condition.of = 3
        return RuleAttributes(
            name: "Zwei schwere Abfragen", combine: "all", conditions: [condition], restDays: 7,
            sessionWithinDays: nil, interventionID: nil, briefing: "Zweimal gedrückte Stimmung.", alert: nil,
            advice: nil, mail: false)
    }()
}

/// One time a rule was met, or would have been: when, for whom, and the values.
public struct RuleFiring: Documented, Decodable {
    public static let type = "rule_firing"
    public var patientID: String
    public var codename: String
    public var at: Instant
    /// The conditions that were met with their values, in words.
    public var reason: String

    public init(patientID: String, codename: String, at: Instant, reason: String) {
        self.patientID = patientID
        self.codename = codename
        self.at = at
        self.reason = reason
    }

    enum CodingKeys: String, CodingKey {
        case codename, at, reason
        case patientID = "patient_id"
    }

    public static let schema = Schema.object([
        Schema.property("patient_id", .id), Schema.property("codename", .string),
        Schema.property("at", .time), Schema.property("reason", .string),
    ])
    public static let example = RuleFiring(
        patientID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
        at: Instant(milliseconds: 1_795_000_000_000), reason: "Stimmung höchstens 2: 1, 2")
}

/// Something a therapist is asked to look at. Nobody watches answers around the clock.
public struct Alert: Documented, Decodable {
    public static let type = "alert"
    public var patientID: String
    public var codename: String
    public var title: String
    /// `answer` for one that should be seen or a reliable worsening, `course`, `technical`.
    public var grade: String
    public var reason: String
    /// What to do, in the words of whoever made the rule.
    public var advice: String?
    public var raisedAt: Instant
    public var acknowledgedAt: Instant?
    public var comment: String?

    public init(
        patientID: String, codename: String, title: String, grade: String, reason: String, advice: String?,
        raisedAt: Instant, acknowledgedAt: Instant?, comment: String?
    ) {
        self.patientID = patientID
        self.codename = codename
        self.title = title
        self.grade = grade
        self.reason = reason
        self.advice = advice
        self.raisedAt = raisedAt
        self.acknowledgedAt = acknowledgedAt
        self.comment = comment
    }

    enum CodingKeys: String, CodingKey {
        case codename, title, grade, reason, advice, comment
        case patientID = "patient_id"
        case raisedAt = "raised_at"
        case acknowledgedAt = "acknowledged_at"
    }

    public static let schema = Schema.object([
        Schema.property("patient_id", .id), Schema.property("codename", .string),
        Schema.property("title", .string),
        Schema.property("grade", .choice(["answer", "course", "technical"])),
        Schema.property("reason", .string),
        Schema.property("advice", .string.orNull), Schema.property("raised_at", .time),
        Schema.property("acknowledged_at", .time.orNull), Schema.property("comment", .string.orNull),
    ])
    public static let example = Alert(
        patientID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", title: "Belastung hoch",
        grade: "answer", reason: "Stimmung höchstens 2: 1, 2", advice: "Anrufen.",
        raisedAt: Instant(milliseconds: 1_795_000_000_000), acknowledgedAt: nil, comment: nil)
}
