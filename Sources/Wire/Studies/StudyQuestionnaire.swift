/// So often in every period, at a fixed time of day or at moments of a window (TYS-4).
public struct StudySchedule: Codable, Sendable, Equatable, Narrowed {
    public static let types = ["fixed", "between"]
    public static let units = ["day", "week", "month"]
    public var type: String
    /// The number of prompts of a period.
    public var amount: Int
    /// The length of a period in units.
    public var every: Int
    public var unit: String
    /// `HH:MM`, of a fixed one.
    public var at: String?
    /// `HH:MM`, of a window.
    public var start: String?
    public var end: String?
    /// Days after enrolment until the first period begins; 0 is the day itself.
    public var startDay: Int
    /// When it stops asking; without it as the study does.
    public var until: Until?
    /// Days in a row, again and again; without it every day counts.
    public var burst: Burst?
    /// Minutes until a prompt can no longer be answered, at most to the end of its day; without it that end.
    public var expiresAfterMinutes: Int?
    /// Minutes between two prompts of a window.
    public var minimumGapMinutes: Int?
    /// Minutes after the end of a prompt within which what was completed in time is taken by itself; without it whenever it comes.
    public var lateGraceMinutes: Int?
    /// Minutes after a prompt at which it is called again while it is open and unanswered, at most two.
    public var repeatAfterMinutes: [Int]?

    /// One of the three.
    public struct Until: Codable, Sendable, Equatable {
        /// The last local day, included.
        public var on: LocalDate?
        /// Local days that begin with `start_day`.
        public var days: Int?
        /// Prompts as planned.
        public var prompts: Int?

        public init(on: LocalDate? = nil, days: Int? = nil, prompts: Int? = nil) {
            self.on = on
            self.days = days
            self.prompts = prompts
        }

        static let sent = Schema.object([
            Schema.optional("on", .date.orNull), Schema.optional("days", .integer.orNull),
            Schema.optional("prompts", .integer.orNull),
        ])
    }

    /// So many days, from one begin to the next; counted from `start_day`.
    public struct Burst: Codable, Sendable, Equatable {
        public var days: Int
        public var repeatEveryDays: Int

        public init(days: Int, repeatEveryDays: Int) {
            self.days = days
            self.repeatEveryDays = repeatEveryDays
        }
    }

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

    public static let narrowed: [String: Schema] = ["type": .choice(types), "unit": .choice(units)]
}

/// A questionnaire of a study: its schedules, and for a participant whether it was answered.
public struct StudyQuestionnaire: Documented, Decodable {
    public static let type = "study_questionnaire"
    public static let baselines = ["required", "recommended"]
    public static let events = ["moment", "span"]

    /// Values beside the answers that are asked for, from those who have switched the sensor on.
    public struct Sensor: Codable, Sendable, Narrowed {
        public var name: String
        public var type: String
        public var value: Int

        public init(name: String) { (self.name, type, value) = (name, "amount", 1) }

        static let names = ["gps", "microphone"]
        /// The other members are fixed.
        static let sent = Schema.object([
            Schema.property("name", .choice(names)), Schema.optional("type", .choice(["amount"])),
            Schema.optional("value", .integer),
        ])
        public static let narrowed: [String: Schema] = ["name": .choice(names), "type": .choice(["amount"])]
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
    /// Whether it may also be filled in at will.
    public var isMultiple: Bool
    public var baseline: String?
    /// Whether the caller has answered it; false for leads.
    public var isFilledOut = false
    public var isScheduleChangeable: Bool
    /// Whether a window of own times may end on the day after it begins; else `from` after `till` is exchanged.
    public var allowsOvernight: Bool? = false
    /// The version to fill in now; nil when none is in use.
    public var questionnaireID: String?
    public var schedules: [StudySchedule]
    public var canUse: [Sensor]
    /// The key of the time point at which it is asked; nil for none. The same questionnaire may stand at several.
    public var timePoint: String?
    /// What participants know the time point as, in the language asked for; nil for none, and for leads, who have all languages with the
    /// study.
    public var timePointTitle: String?
    /// Its place among the study's, from 0 on; baselines come first.
    public var position: Int?
    /// For what happens at any time: a moment, or a span with a begin and an end. Nil for what is asked.
    public var event: String?
    /// The keys of the arms that are asked; nil for everybody, and for participants.
    public var arms: [String]?

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

    public static let narrowed: [String: Schema] = [
        "baseline": .choice(baselines).orNull, "event": .choice(events).orNull,
    ]
    public static let example = StudyQuestionnaire(
        studyID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", key: "tys-daily", title: "Täglich", isActive: true,
        isOnetime: false, baseline: nil, isScheduleChangeable: false,
        questionnaireID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12",
        schedules: [
            StudySchedule(
                type: "between", amount: 3, every: 1, unit: "day", at: nil, start: "09:00", end: "21:00",
                startDay: 0)
        ], canUse: [])

    /// The members that a lead sends; the key only for a new one.
    public static let sent = Schema.object([
        Schema.optional("questionnaire_key", .string), Schema.optional("is_active", .boolean.orNull),
        Schema.optional("is_onetime", .boolean.orNull),
        Schema.optional("baseline", .choice(baselines).orNull),
        Schema.optional("is_schedule_changeable", .boolean.orNull),
        Schema.optional("allows_overnight", .boolean.orNull),
        Schema.optional("schedules", Schema.list(.of(StudySchedule.self).sent).orNull),
        Schema.optional("can_use", Schema.list(.either([Sensor.sent, .choice(Sensor.names)])).orNull),
        Schema.optional("time_point", .string.orNull), Schema.optional("position", .integer.orNull),
        Schema.optional("event", .choice(events).orNull),
        Schema.optional("arms", Schema.list(.string).orNull),
    ])
}
