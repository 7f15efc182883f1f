/// So often in every period, at a fixed time of day or at moments of a window (TYS-4).
public struct StudySchedule: Codable, Sendable, Equatable {
    public static let types = ["fixed", "between"]
    public static let units = ["day", "week", "month"]
    public var type: String
    /// How many prompts a period has.
    public var amount: Int
    /// A period is so many units long.
    public var every: Int
    public var unit: String
    /// `HH:MM`, of a fixed one.
    public var at: String?
    /// `HH:MM`, of a window.
    public var start: String?
    public var end: String?
    /// Days after enrolment that the first period begins; 0 is the day itself.
    public var startDay: Int

    public init(
        type: String, amount: Int, every: Int, unit: String, at: String?, start: String?, end: String?,
        startDay: Int
    ) {
        self.type = type
        self.amount = amount
        self.every = every
        self.unit = unit
        self.at = at
        self.start = start
        self.end = end
        self.startDay = startDay
    }

    enum CodingKeys: String, CodingKey {
        case type, amount, every, unit, at, start, end
        case startDay = "start_day"
    }

    public static let schema = Schema.object([
        Schema.property("type", .choice(types)), Schema.property("amount", .integer),
        Schema.property("every", .integer), Schema.property("unit", .choice(units)),
        Schema.optional("at", .string.orNull), Schema.optional("start", .string.orNull),
        Schema.optional("end", .string.orNull), Schema.property("start_day", .integer),
    ])
}

/// A questionnaire of a study: how it is asked, and for a participant whether it was answered.
public struct StudyQuestionnaire: Documented, Decodable {
    public static let type = "study_questionnaire"
    public static let baselines = ["required", "recommended"]

    /// Values beside the answers that are asked for, from those who have switched the sensor on.
    public struct Sensor: Codable, Sendable {
        public var name: String
        public var type: String
        public var value: Int

        public init(name: String) { (self.name, type, value) = (name, "amount", 1) }

        static let names = ["gps", "microphone"]
        /// The rest is what it always is.
        static let sent = Schema.object([
            Schema.property("name", .choice(names)), Schema.optional("type", .choice(["amount"])),
            Schema.optional("value", .integer),
        ])
        static let schema = Schema.object([
            Schema.property("name", .choice(names)),
            Schema.property("type", .choice(["amount"])),
            Schema.property("value", .integer),
        ])
    }

    public var studyID: String
    public var key: String
    public var name: String
    public var title: String
    public var description: String?
    public var intro: String?
    public var outro: String?
    public var origin: String?
    public var isActive: Bool
    public var isOnetime: Bool
    /// May be filled in at will too.
    public var isMultiple: Bool
    public var baseline: String?
    /// Whether the caller has answered it; false for leads.
    public var isFilledOut = false
    public var isScheduleChangeable: Bool
    /// The version to fill in now; nil when none is in use.
    public var questionnaireID: String?
    public var schedules: [StudySchedule]
    public var canUse: [Sensor]

    public init(
        studyID: String, key: String, title: String, isActive: Bool, isOnetime: Bool, baseline: String?,
        isScheduleChangeable: Bool, questionnaireID: String?, schedules: [StudySchedule], canUse: [Sensor]
    ) {
        self.studyID = studyID
        self.key = key
        name = key
        self.title = title
        self.isActive = isActive
        self.isOnetime = isOnetime
        isMultiple = !isOnetime
        self.baseline = baseline
        self.isScheduleChangeable = isScheduleChangeable
        self.questionnaireID = questionnaireID
        self.schedules = schedules
        self.canUse = canUse
    }

    enum CodingKeys: String, CodingKey {
        case key, name, title, description, intro, outro, origin, baseline, schedules
        case studyID = "study_id"
        case isActive = "is_active"
        case isOnetime = "is_onetime"
        case isMultiple = "is_multiple"
        case isFilledOut = "is_filled_out"
        case isScheduleChangeable = "is_schedule_changeable"
        case questionnaireID = "questionnaire_id"
        case canUse = "can_use"
    }

    public static let schema = Schema.object([
        Schema.property("study_id", .id), Schema.property("key", .string), Schema.property("name", .string),
        Schema.property("title", .string), Schema.property("description", .string.orNull),
        Schema.property("intro", .string.orNull), Schema.property("outro", .string.orNull),
        Schema.property("origin", .string.orNull), Schema.property("is_active", .boolean),
        Schema.property("is_onetime", .boolean), Schema.property("is_multiple", .boolean),
        Schema.property("baseline", .choice(baselines).orNull), Schema.property("is_filled_out", .boolean),
        Schema.property("is_schedule_changeable", .boolean), Schema.property("questionnaire_id", .id.orNull),
        Schema.property("schedules", .list(StudySchedule.schema)),
        Schema.property("can_use", .list(Sensor.schema)),
    ])
    public static let example = StudyQuestionnaire(
        studyID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", key: "tys-daily", title: "Täglich", isActive: true,
        isOnetime: false, baseline: nil, isScheduleChangeable: false,
        questionnaireID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12",
        schedules: [
            StudySchedule(
                type: "between", amount: 3, every: 1, unit: "day", at: nil, start: "09:00", end: "21:00",
                startDay: 0)
        ], canUse: [])

    /// What a lead sends; the key only for a new one.
    public static let sent = Schema.object([
        Schema.optional("questionnaire_key", .string), Schema.optional("is_active", .boolean.orNull),
        Schema.optional("is_onetime", .boolean.orNull),
        Schema.optional("baseline", .choice(baselines).orNull),
        Schema.optional("is_schedule_changeable", .boolean.orNull),
        Schema.optional("schedules", Schema.list(StudySchedule.schema).orNull),
        Schema.optional("can_use", Schema.list(.either([Sensor.sent, .choice(Sensor.names)])).orNull),
    ])
}
