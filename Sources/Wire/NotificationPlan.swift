/// When a participant of a study is asked to fill in a questionnaire (TYS-6), in their own local time.
public struct NotificationPlan: Documented, Decodable, Equatable {
    public static let type = "notification_plan"
    public static let options = ["standard", "custom", "both"]

    /// Between which times of a weekday random prompts may come.
    public struct Window: Codable, Sendable, Equatable {
        /// 1 is Monday, 7 Sunday.
        public var weekday: Int
        public var enabled: Bool
        /// `HH:MM`.
        public var from: String
        public var till: String

        public init(weekday: Int, enabled: Bool, from: String, till: String) {
            self.weekday = weekday
            self.enabled = enabled
            self.from = from
            self.till = till
        }

        static let sent = Schema.object([
            Schema.property("weekday", .integer), Schema.optional("enabled", .boolean.orNull),
            Schema.optional("from", .string.orNull), Schema.optional("till", .string.orNull),
        ])
        static let schema = Schema.object([
            Schema.property("weekday", .integer), Schema.property("enabled", .boolean),
            Schema.property("from", .string), Schema.property("till", .string),
        ])
    }

    /// A time of day at which a prompt comes.
    public struct Time: Codable, Sendable, Equatable {
        /// 1 is Monday, 7 Sunday; nil for every day.
        public var weekday: Int?
        /// `HH:MM`.
        public var at: String
        /// Whether the participant cannot change it.
        public var fixed: Bool

        public init(weekday: Int?, at: String, fixed: Bool) {
            self.weekday = weekday
            self.at = at
            self.fixed = fixed
        }

        static let sent = Schema.object([
            Schema.optional("weekday", .integer.orNull), Schema.property("at", .string),
            Schema.optional("fixed", .boolean.orNull),
        ])
        static let schema = Schema.object([
            Schema.optional("weekday", .integer.orNull), Schema.property("at", .string),
            Schema.property("fixed", .boolean),
        ])
    }

    /// `standard`: random moments; `custom`: fixed times; or both.
    public var option: String
    /// How many random prompts a day has.
    public var amount: Int
    public var windows: [Window]
    public var times: [Time]

    public init(option: String, amount: Int, windows: [Window], times: [Time]) {
        self.option = option
        self.amount = amount
        self.windows = windows
        self.times = times
    }

    public static let schema = Schema.object([
        Schema.property("option", .choice(options)), Schema.property("amount", .integer),
        Schema.property("windows", .list(Window.schema)), Schema.property("times", .list(Time.schema)),
    ])
    public static let sent = Schema.object([
        Schema.property("option", .choice(options)), Schema.optional("amount", .integer.orNull),
        Schema.optional("windows", Schema.list(Window.sent).orNull),
        Schema.optional("times", Schema.list(Time.sent).orNull),
    ])
    public static let example = NotificationPlan(
        option: "both", amount: 3,
        windows: [Window(weekday: 1, enabled: true, from: "08:00", till: "22:00")],
        times: [Time(weekday: nil, at: "12:30", fixed: false)])
}
