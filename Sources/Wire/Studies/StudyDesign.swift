/// How the participants of a study are allocated to groups, and the outcomes compared between them (IO-21).
public struct StudyDesign: Documented, Decodable {
    public static let type = "study_design"
    public static let moments = ["enrolment", "baseline"]
    public static let allocations = ["alternating", "randomised", "minimised"]
    /// The arms that need no more than their name.
    public static let arms = ["full", "no_interventions", "no_app"]

    /// A scale at a time, named before the first participant is in.
    public struct Outcome: Codable, Sendable, Equatable, Narrowed {
        /// What several values of one person at a time point become.
        public static let values = ["first", "last", "mean"]
        public static let sources = ["study", "therapy"]

        public var isPrimary: Bool
        public var questionnaireKey: String
        public var scale: String
        /// Days after enrolment; nil for one at a time point.
        public var day: Int?
        /// The key of a time point of the study; nil for one by the day.
        public var timePoint: String?
        /// Nil for what follows from the questionnaire: the mean of what is asked repeatedly there, else the first one.
        public var value: String?
        /// `therapy`: of what the participants' therapies ask, at a time point at which the study does not ask it itself. Only sheets
        /// of participants with consent to research count.
        public var source: String

        public init(
            isPrimary: Bool, questionnaireKey: String, scale: String, day: Int?, timePoint: String? = nil,
            value: String? = nil, source: String = "study"
        ) {
            self.isPrimary = isPrimary
            self.questionnaireKey = questionnaireKey
            self.scale = scale
            self.day = day
            self.timePoint = timePoint
            self.value = value
            self.source = source
        }

        public static let narrowed: [String: Schema] = [
            "value": .choice(values).orNull, "source": .choice(sources),
        ]

        static let sent = Schema.object([
            Schema.optional("is_primary", .boolean.orNull), Schema.property("questionnaire_key", .string),
            Schema.property("scale", .string), Schema.optional("day", .integer.orNull),
            Schema.optional("time_point", .string.orNull),
            Schema.optional("value", Schema.choice(values).orNull),
            Schema.optional("source", Schema.choice(sources).orNull),
        ])
    }

    /// The site of a therapist who brings patients in.
    public struct Site: Codable, Sendable, Equatable {
        public var name: String
        /// The address of the therapist's account.
        public var email: String

        public init(name: String, email: String) { (self.name, self.email) = (name, email) }
    }

    /// What allocation is balanced by: `site`, in whose sequence everybody is allocated in any case, and `gender`, as the participant has
    /// stated it to the practice, and `score`, the band of a score of a required baseline, where allocation waits for it. What is not known
    /// is a stratum of its own.
    public struct Stratum: Codable, Sendable, Equatable, Narrowed {
        public static let kinds = ["site", "gender", "score"]
        public var kind: String
        /// Of a score, as the scale.
        public var questionnaireKey: String?
        public var scale: String?
        /// The upper limits of all bands of the score but the last, each in its band; rising.
        public var bands: [Double]?

        public init(
            kind: String, questionnaireKey: String? = nil, scale: String? = nil, bands: [Double]? = nil
        ) {
            self.kind = kind
            self.questionnaireKey = questionnaireKey
            self.scale = scale
            self.bands = bands
        }

        public static let narrowed: [String: Schema] = ["kind": .choice(kinds)]
        static let sent = Schema.object([
            Schema.property("kind", .choice(kinds)), Schema.optional("questionnaire_key", .string.orNull),
            Schema.optional("scale", .string.orNull), Schema.optional("bands", Schema.list(.number).orNull),
        ])
    }

    /// What an arm is called in masked files.
    public struct MaskedLabel: Codable, Sendable, Equatable {
        public var arm: String
        /// A letter, drawn at random.
        public var label: String

        public init(arm: String, label: String) { (self.arm, self.label) = (arm, label) }
    }

    /// `alternating`: consecutive cohorts of each site take turns; `randomised`: in random blocks; `minimised`: after Pocock
    /// and Simon, the arm that leaves the strata most equal with the probability 0.8.
    public var allocation: String
    /// In their order.
    public var arms: [Arm]
    /// Of a cohort, or of a block; 1 for minimisation, which has neither.
    public var size: Int
    public var strata: [Stratum]? = []
    /// `baseline`: participants wait until their required baselines are answered.
    public var allocatedAt: String? = "enrolment"
    public var sampleSize: Int
    /// The number of places taken.
    public var allocated: Int
    /// The primary ones first.
    public var outcomes: [Outcome]
    public var sites: [Site]
    /// The seed of all chance; nil until allocation is closed for good: with it the next groups could be
    /// predicted.
    public var seed: String?
    /// SHA-256 of rule, seed and salt, told from the beginning; nil for groups that were named before there was one.
    public var commitment: String?
    /// Told with the seed.
    public var salt: String?
    /// Of the rule by which places are drawn.
    public var ruleVersion: Int? = 1
    /// From then on no participant is allocated any more.
    public var closedAt: Instant?
    /// One for each arm, by their letters; nil until they are drawn, which keeping the groups or a masked export does.
    public var maskedLabels: [MaskedLabel]?

    public init(
        allocation: String, arms: [Arm], size: Int, sampleSize: Int, allocated: Int, outcomes: [Outcome],
        sites: [Site], seed: String?, closedAt: Instant? = nil
    ) {
        self.allocation = allocation
        self.arms = arms
        self.size = size
        self.sampleSize = sampleSize
        self.allocated = allocated
        self.outcomes = outcomes
        self.sites = sites
        self.seed = seed
        self.closedAt = closedAt
    }

    public static let narrowed: [String: Schema] = [
        "allocation": .choice(allocations), "allocatedAt": .choice(moments).orNull,
    ]
    public static let sent = Schema.object([
        Schema.property("allocation", .choice(allocations)), Schema.property("arms", .list(Arm.sent)),
        Schema.optional("size", .integer.orNull), Schema.property("sample_size", .integer),
        Schema.property("outcomes", .list(Outcome.sent)),
        Schema.optional("strata", Schema.list(Stratum.sent).orNull),
        Schema.optional("allocated_at", Schema.choice(moments).orNull),
        Schema.optional("sites", Schema.list(.of(Site.self)).orNull),
    ])
    public static let example = StudyDesign(
        allocation: "alternating", arms: arms.prefix(2).compactMap { Arm($0) }, size: 20, sampleSize: 120,
        allocated: 37,
        outcomes: [Outcome(isPrimary: true, questionnaireKey: "wellbeing-5", scale: "wellbeing", day: 84)],
        sites: [Site(name: "Ulm", email: "ada@example.org")], seed: nil)
}
