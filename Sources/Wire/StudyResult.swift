/// What a scale says over all participants of a study.
public struct StudyResult: Documented, Decodable {
    public static let type = "study_result"
    public var questionnaireKey: String
    public var scale: String
    public var title: String
    /// Over the means of persons; nil without answers.
    public var mean: Double?
    /// Nil for fewer than two persons.
    public var deviation: Double?
    public var people: Int
    public var sheets: Int

    public init(
        questionnaireKey: String, scale: String, title: String, mean: Double?, deviation: Double?,
        people: Int,
        sheets: Int
    ) {
        self.questionnaireKey = questionnaireKey
        self.scale = scale
        self.title = title
        self.mean = mean
        self.deviation = deviation
        self.people = people
        self.sheets = sheets
    }

    enum CodingKeys: String, CodingKey {
        case scale, title, mean, deviation, people, sheets
        case questionnaireKey = "questionnaire_key"
    }

    public static let schema = Schema.object([
        Schema.property("questionnaire_key", .string), Schema.property("scale", .string),
        Schema.property("title", .string), Schema.property("mean", .number.orNull),
        Schema.property("deviation", .number.orNull), Schema.property("people", .integer),
        Schema.property("sheets", .integer),
    ])
    public static let example = StudyResult(
        questionnaireKey: "wellbeing-5", scale: "wellbeing", title: "Wohlbefinden", mean: 60, deviation: 12.5,
        people: 24, sheets: 96)
}

/// An outcome of a study by group (IO-21).
public struct StudyComparison: Documented, Decodable {
    public static let type = "study_comparison"

    /// Of the people who have a value at the begin and at the named day.
    public struct Arm: Codable, Sendable {
        public var arm: String
        /// All in the arm.
        public var people: Int
        public var n: Int
        public var begin: Measure?
        public var end: Measure?
        public var change: Measure?

        public init(arm: String, people: Int, n: Int, begin: Measure?, end: Measure?, change: Measure?) {
            self.arm = arm
            self.people = people
            self.n = n
            self.begin = begin
            self.end = end
            self.change = change
        }

        static let schema = Schema.object([
            Schema.property("arm", .string), Schema.property("people", .integer),
            Schema.property("n", .integer), Schema.property("begin", Measure.schema.orNull),
            Schema.property("end", Measure.schema.orNull), Schema.property("change", Measure.schema.orNull),
        ])
    }

    public struct Measure: Codable, Sendable {
        public var mean: Double
        /// Nil for fewer than two persons.
        public var deviation: Double?

        public init(mean: Double, deviation: Double?) { (self.mean, self.deviation) = (mean, deviation) }

        static let schema = Schema.object([
            Schema.property("mean", .number), Schema.property("deviation", .number.orNull),
        ])
    }

    /// Hedges' g of the change in the first arm against another, with its 95 % interval.
    public struct Effect: Codable, Sendable {
        public var against: String
        public var g: Double?
        public var low: Double?
        public var high: Double?

        public init(against: String, g: Double?, low: Double?, high: Double?) {
            self.against = against
            self.g = g
            self.low = low
            self.high = high
        }

        static let schema = Schema.object([
            Schema.property("against", .string), Schema.property("g", .number.orNull),
            Schema.property("low", .number.orNull), Schema.property("high", .number.orNull),
        ])
    }

    public var questionnaireKey: String
    public var scale: String
    /// Days after enrolment.
    public var day: Int
    public var isPrimary: Bool
    public var arms: [Arm]
    public var effects: [Effect]

    public init(
        questionnaireKey: String, scale: String, day: Int, isPrimary: Bool, arms: [Arm], effects: [Effect]
    ) {
        self.questionnaireKey = questionnaireKey
        self.scale = scale
        self.day = day
        self.isPrimary = isPrimary
        self.arms = arms
        self.effects = effects
    }

    enum CodingKeys: String, CodingKey {
        case scale, day, arms, effects
        case questionnaireKey = "questionnaire_key"
        case isPrimary = "is_primary"
    }

    public static let schema = Schema.object([
        Schema.property("questionnaire_key", .string), Schema.property("scale", .string),
        Schema.property("day", .integer), Schema.property("is_primary", .boolean),
        Schema.property("arms", .list(Arm.schema)), Schema.property("effects", .list(Effect.schema)),
    ])
    public static let example = StudyComparison(
        questionnaireKey: "wellbeing-5", scale: "wellbeing", day: 84, isPrimary: true,
        arms: [
            Arm(
                arm: "full", people: 24, n: 19, begin: Measure(mean: 41.2, deviation: 12),
                end: Measure(mean: 60, deviation: 14.5), change: Measure(mean: 18.8, deviation: 11))
        ], effects: [Effect(against: "no_interventions", g: 0.61, low: 0.12, high: 1.1)])
}
