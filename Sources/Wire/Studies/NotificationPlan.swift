/// The times of a participant's prompts for a questionnaire (TYS-6), in their own local time.
public struct NotificationPlan: Documented, Decodable, Equatable {
    public static let type = "notification_plan"
    public static let options = ["standard", "custom", "both"]

    /// The window of a weekday for random prompts.
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
    }

    /// A time of day of a prompt.
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
    }

    /// `standard`: random moments; `custom`: fixed times; or both.
    public var option: String
    /// The number of random prompts of a day.
    public var amount: Int
    public var windows: [Window]
    public var times: [Time]

    public init(option: String, amount: Int, windows: [Window], times: [Time]) {
        self.option = option
        self.amount = amount
        self.windows = windows
        self.times = times
    }

    public static let narrowed: [String: Schema] = ["option": .choice(options)]
    public static let sent = Schema.object([
        Schema.property("option", .choice(options)), Schema.optional("amount", .integer.orNull),
        Schema.optional("windows", Schema.list(Window.sent).orNull),
        Schema.optional("times", Schema.list(Time.sent).orNull),
    ])
    public static let example = NotificationPlan(
        option: "both", amount: 3, windows: [Window(weekday: 1, enabled: true, from: "08:00", till: "22:00")],
        times: [Time(weekday: nil, at: "12:30", fixed: false)])
}
