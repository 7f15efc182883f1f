/// A sleep, measured or entered by hand (FB-2). Of one entered by hand nothing is worked out: its quality is null.
public struct Sleep: Documented, Codable, Equatable {
    public static let type = "sleep"
    public static let origins = ["manual", "measured"]
    /// Seconds.
    public static let shortest: Int64 = 600
    public static let longest: Int64 = 86_400

    public var startsAt: Instant
    public var endsAt: Instant
    public var origin: String
    public var minutesAsleep: Int?
    public var minutesRestless: Int?
    public var minutesAwake: Int?
    public var minutesToFallAsleep: Int?
    public var restlessCount: Int?
    public var awakenings: Int?
    /// Per cent of the time in bed that was slept.
    public var efficiency: Double?

    public init(startsAt: Instant, endsAt: Instant, origin: String) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.origin = origin
    }

    enum CodingKeys: String, CodingKey {
        case origin, awakenings, efficiency
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case minutesAsleep = "minutes_asleep"
        case minutesRestless = "minutes_restless"
        case minutesAwake = "minutes_awake"
        case minutesToFallAsleep = "minutes_to_fall_asleep"
        case restlessCount = "restless_count"
    }

    /// What a hand cannot measure, by its name on the wire.
    public static let quality = [
        "minutes_asleep", "minutes_restless", "minutes_awake", "minutes_to_fall_asleep", "restless_count",
        "awakenings", "efficiency",
    ]

    private static func members(_ property: (String, Schema) -> Schema.Property) -> [Schema.Property] {
        [
            Schema.property("starts_at", .time), Schema.property("ends_at", .time),
            Schema.property("origin", .choice(origins)),
        ] + quality.map { property($0, ($0 == "efficiency" ? Schema.number : .integer).orNull) }
    }
    public static let sent = Schema.object(members { Schema.optional($0, $1) })
    public static let schema = Schema.object(members { Schema.property($0, $1) })
    public static let example = Sleep(
        startsAt: Instant(milliseconds: 1_795_215_600_000), endsAt: Instant(milliseconds: 1_795_242_600_000),
        origin: "manual")
}

/// Something that was done with the body: a walk, a run (FB-2).
public struct Activity: Documented, Codable, Equatable {
    public static let type = "activity"

    public var name: String
    public var startsAt: Instant
    public var durationSeconds: Int
    public var distanceM: Double?
    public var calories: Double?
    public var steps: Int?
    public var meanHeartRate: Double?
    public var maxHeartRate: Double?
    /// Minutes in each zone of the heart rate; null where they are not known.
    public var zones: [HeartZone]?

    public init(name: String, startsAt: Instant, durationSeconds: Int) {
        self.name = name
        self.startsAt = startsAt
        self.durationSeconds = durationSeconds
    }

    enum CodingKeys: String, CodingKey {
        case name, calories, steps, zones
        case startsAt = "starts_at"
        case durationSeconds = "duration_seconds"
        case distanceM = "distance_m"
        case meanHeartRate = "mean_heart_rate"
        case maxHeartRate = "max_heart_rate"
    }

    private static func members(_ property: (String, Schema) -> Schema.Property) -> [Schema.Property] {
        [
            Schema.property("name", .string), Schema.property("starts_at", .time),
            Schema.property("duration_seconds", .integer), property("distance_m", .number.orNull),
            property("calories", .number.orNull), property("steps", .integer.orNull),
            property("mean_heart_rate", .number.orNull), property("max_heart_rate", .number.orNull),
            property("zones", .list(HeartZone.schema).orNull),
        ]
    }
    public static let sent = Schema.object(members { Schema.optional($0, $1) })
    public static let schema = Schema.object(members { Schema.property($0, $1) })
    public static let example = Activity(
        name: "Gehen", startsAt: Instant(milliseconds: 1_795_215_600_000), durationSeconds: 1_800)
}

/// A band of heart rates, and how long the heart was in it.
public struct HeartZone: Codable, Sendable, Equatable {
    public var name: String
    /// Beats a minute, the upper one not included.
    public var minimum: Double
    public var maximum: Double
    public var minutes: Double
    public var calories: Double?

    public init(name: String, minimum: Double, maximum: Double, minutes: Double, calories: Double? = nil) {
        self.name = name
        self.minimum = minimum
        self.maximum = maximum
        self.minutes = minutes
        self.calories = calories
    }

    public static let schema = Schema.object([
        Schema.property("name", .string), Schema.property("minimum", .number),
        Schema.property("maximum", .number), Schema.property("minutes", .number),
        Schema.optional("calories", .number.orNull),
    ])
}

/// What the heart did on a day: worked out from the days of heart rate and resting heart rate.
public struct HeartDay: Documented, Decodable {
    public static let type = "heart_day"

    public var date: LocalDate
    public var resting: Double?
    public var mean: Double?
    /// From the day's active energy; null without it.
    public var calories: Double?
    /// Null where the age is not known.
    public var zones: [HeartZone]?

    public init(date: LocalDate, resting: Double?, mean: Double?, calories: Double?, zones: [HeartZone]?) {
        self.date = date
        self.resting = resting
        self.mean = mean
        self.calories = calories
        self.zones = zones
    }

    public static let schema = Schema.object([
        Schema.property("date", .date), Schema.property("resting", .number.orNull),
        Schema.property("mean", .number.orNull), Schema.property("calories", .number.orNull),
        Schema.property("zones", .list(HeartZone.schema).orNull),
    ])
    public static let example = HeartDay(
        date: LocalDate(daysSince1970: 20_777), resting: 58, mean: 71, calories: 410,
        zones: [HeartZone(name: "fat_burn", minimum: 93, maximum: 130, minutes: 42)])
}

/// What somebody aims at.
public struct HealthGoals: Documented, Codable, Equatable {
    public static let type = "goals"

    public var stepsPerDay: Int?
    public var sleepMinutes: Int?

    public init(stepsPerDay: Int?, sleepMinutes: Int?) {
        self.stepsPerDay = stepsPerDay
        self.sleepMinutes = sleepMinutes
    }

    enum CodingKeys: String, CodingKey {
        case stepsPerDay = "steps_per_day"
        case sleepMinutes = "sleep_minutes"
    }

    public static let sent = Schema.object([
        Schema.optional("steps_per_day", .integer.orNull), Schema.optional("sleep_minutes", .integer.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("steps_per_day", .integer.orNull), Schema.property("sleep_minutes", .integer.orNull),
    ])
    public static let example = HealthGoals(stepsPerDay: 8_000, sleepMinutes: 450)
}
