/// A sleep, measured or entered by hand (FB-2). For one entered by hand the measures of quality are null.
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
    /// Per cent of the time in bed.
    public var efficiency: Double?

    public init(startsAt: Instant, endsAt: Instant, origin: String) {
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.origin = origin
    }

    /// What a hand cannot measure, by its name on the wire.
    public static let quality = [
        "minutes_asleep", "minutes_restless", "minutes_awake", "minutes_to_fall_asleep", "restless_count",
        "awakenings", "efficiency",
    ]

    public static let narrowed: [String: Schema] = ["origin": .choice(origins)]
    public static let sent = schema.sent
    public static let example = Sleep(
        startsAt: Instant(milliseconds: 1_795_215_600_000), endsAt: Instant(milliseconds: 1_795_242_600_000),
        origin: "manual")
}

/// A physical activity: a walk, a run (FB-2).
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
    /// Minutes in each zone of the heart rate; null when unknown.
    public var zones: [HeartZone]?

    public init(name: String, startsAt: Instant, durationSeconds: Int) {
        self.name = name
        self.startsAt = startsAt
        self.durationSeconds = durationSeconds
    }

    public static let sent = schema.sent
    public static let example = Activity(
        name: "Gehen", startsAt: Instant(milliseconds: 1_795_215_600_000), durationSeconds: 1_800)
}

/// A band of heart rates, with the time in it.
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
}

/// Heart rates of a day: computed from the days of heart rate and resting heart rate.
public struct HeartDay: Documented, Decodable {
    public static let type = "heart_day"

    public var date: LocalDate
    public var resting: Double?
    public var mean: Double?
    /// From the day's active energy; null without it.
    public var calories: Double?
    /// Null for an unknown age.
    public var zones: [HeartZone]?

    public init(date: LocalDate, resting: Double?, mean: Double?, calories: Double?, zones: [HeartZone]?) {
        self.date = date
        self.resting = resting
        self.mean = mean
        self.calories = calories
        self.zones = zones
    }

    public static let example = HeartDay(
        date: LocalDate(daysSince1970: 20_777), resting: 58, mean: 71, calories: 410,
        zones: [HeartZone(name: "fat_burn", minimum: 93, maximum: 130, minutes: 42)])
}

/// An account's goals.
public struct HealthGoals: Documented, Codable, Equatable {
    public static let type = "goals"

    public var stepsPerDay: Int?
    public var sleepMinutes: Int?

    public init(stepsPerDay: Int?, sleepMinutes: Int?) {
        self.stepsPerDay = stepsPerDay
        self.sleepMinutes = sleepMinutes
    }

    public static let sent = schema.sent
    public static let example = HealthGoals(stepsPerDay: 8_000, sleepMinutes: 450)
}
