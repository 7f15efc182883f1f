import Wire

/// One condition of a rule over results. Which fields have a value depends on the kind.
struct RuleCondition: Codable, Sendable, Equatable, Narrowed {
    static let kinds = [
        "answer", "score", "change", "reliable_worsening", "reliable_improvement", "mean", "missed", "silent",
    ]
    static let comparisons = ["at_least", "at_most", "above", "below", "equals"]
    var kind: String
    var questionnaireKey: String?
    /// The key of a question (`answer`) or of a scale.
    var item: String?
    var comparison: String?
    var value: Double?
    /// In how many of the last sheets (`answer`, `score`); how many in a row (`missed`).
    var times: Int?
    /// The number of sheets evaluated (`answer`, `score`, `mean`).
    var of: Int?
    /// The reference of a change: `begin` or `last`, the measurement before.
    var since: String?
    /// `silent`: for how many days.
    var days: Int?

    static let narrowed: [String: Schema] = [
        "kind": .choice(kinds), "comparison": .choice(comparisons).orNull,
        "since": .choice(["begin", "last"]).orNull,
    ]
}

/// When … then …: a therapist's reaction to results.
struct RuleAttributes: Documented, Decodable {
    static let type = "rule"
    var name: String
    var conditions: [RuleCondition]
    /// `all` or `any` of the conditions.
    var combine: String
    /// At most once in so many days, for each patient.
    var restDays: Int
    /// Only when a session lies within so many days.
    var sessionWithinDays: Int?
    /// The actions: an intervention of the library, a line in the briefing, an alert with advice, a mail without
    /// content.
    var interventionID: String?
    var briefing: String?
    var alert: String?
    var advice: String?
    var mail: Bool
    /// The patients it applies to; null for all of the caller's.
    var patientIDs: [String]?
    var enabled = false
    /// Reasons why the rule can never be met, or always is.
    var warnings: [String] = []
    var firings = 0
    var lastFiredAt: Instant?
    var createdAt: Instant?
    var changedAt: Instant?

    private static let content: [(String, Schema)] = [
        ("combine", .choice(["all", "any"])), ("rest_days", .integer),
        ("session_within_days", .integer.orNull), ("intervention_id", .id.orNull),
        ("briefing", .string.orNull), ("alert", .string.orNull), ("advice", .string.orNull),
        ("mail", .boolean), ("patient_ids", Schema.list(.id).orNull), ("enabled", .boolean),
    ]
    /// The members that a client may send; a change sends those it changes.
    static func sent(isChange: Bool) -> Schema {
        let conditions = Schema.list(.of(RuleCondition.self).sent)
        let head: [Schema.Property] = [
            isChange ? Schema.optional("name", .string) : Schema.property("name", .string),
            isChange
                ? Schema.optional("conditions", conditions)
                : Schema.property("conditions", conditions),
        ]
        // Null keeps the present value.
        return .object(head + content.map { Schema.optional($0.0, .nullable($0.1)) })
    }
    static let narrowed: [String: Schema] = ["combine": .choice(["all", "any"])]
    static let example: RuleAttributes = {
        var condition = RuleCondition(kind: "score")
        condition.questionnaireKey = "intersession-daily"
        condition.item = "feeling"
        condition.comparison = "at_most"
        condition.value = 2
        condition.times = 2
        condition.of = 3
        return RuleAttributes(
            name: "Zwei schwere Abfragen", conditions: [condition], combine: "all", restDays: 7,
            sessionWithinDays: nil, interventionID: nil, briefing: "Zweimal gedrückte Stimmung.", alert: nil,
            advice: nil, mail: false)
    }()
}

/// A firing of a rule, real or of a dry run: time, patient, and values.
struct RuleFiring: Documented, Decodable {
    static let type = "rule_firing"
    var patientID: String
    var codename: String
    var at: Instant
    /// The conditions that were met with their values, in words.
    var reason: String

    static let example = RuleFiring(
        patientID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", at: .example,
        reason: "Stimmung höchstens 2: 1, 2")
}
