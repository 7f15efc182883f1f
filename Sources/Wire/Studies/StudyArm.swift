extension StudyDesign {
    /// An arm of a trial: one of the three strings, which say everything about it, or one of the study's own (ST-5).
    public struct Arm: Codable, Sendable, Equatable, Shaped {
        /// What it is called in calls and files.
        public var key: String
        /// Nil for one of the three that has no other name.
        public var title: LocalizedText?
        /// Whether its participants are asked by an app; without it they fill in paper.
        public var app: Bool
        /// Whether therapists may give its participants interventions.
        public var interventions: Bool
        /// How many of the places come to it, beside the ratios of the others.
        public var ratio: Int
        /// The local day, counted from allocation, from which on there are interventions where there were none: a waiting list. Nil for
        /// never.
        public var crossesAfterDays: Int?

        public init(
            key: String, title: LocalizedText?, app: Bool, interventions: Bool, ratio: Int,
            crossesAfterDays: Int? = nil
        ) {
            self.key = key
            self.title = title
            self.app = app
            self.interventions = interventions
            self.ratio = ratio
            self.crossesAfterDays = crossesAfterDays
        }

        /// One of the three; nil for another string.
        public init?(_ name: String) {
            guard StudyDesign.arms.contains(name) else { return nil }
            self.init(
                key: name, title: nil, app: name != "no_app", interventions: name == "full", ratio: 1)
        }

        private enum CodingKeys: String, CodingKey {
            case key, title, app, interventions, ratio, crossesAfterDays
        }

        public init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                guard let known = Arm(name) else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "no arm: \(name)"))
                }
                self = known
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            key = try container.decode(String.self, forKey: .key)
            title = try container.decodeIfPresent(LocalizedText.self, forKey: .title)
            app = try container.decode(Bool.self, forKey: .app)
            interventions = try container.decode(Bool.self, forKey: .interventions)
            ratio = try container.decode(Int.self, forKey: .ratio)
            crossesAfterDays = try container.decodeIfPresent(Int.self, forKey: .crossesAfterDays)
        }

        public func encode(to encoder: any Encoder) throws {
            if self == Arm(key) {
                var container = encoder.singleValueContainer()
                try container.encode(key)
                return
            }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(key, forKey: .key)
            try container.encodeIfPresent(title, forKey: .title)
            try container.encode(app, forKey: .app)
            try container.encode(interventions, forKey: .interventions)
            try container.encode(ratio, forKey: .ratio)
            // Not as null: arms without it are what they were.
            if let crossesAfterDays { try container.encode(crossesAfterDays, forKey: .crossesAfterDays) }
        }

        public static let schema = Schema.either([
            .choice(StudyDesign.arms),
            .object([
                Schema.property("key", .string), Schema.property("title", LocalizedText.schema.orNull),
                Schema.property("app", .boolean), Schema.property("interventions", .boolean),
                Schema.property("ratio", .integer),
                Schema.optional("crosses_after_days", .integer.orNull),
            ]),
        ])
        /// An object may leave out what it shares with most: app and interventions, the ratio 1.
        static let sent = Schema.either([
            .choice(StudyDesign.arms),
            .object([
                Schema.property("key", .string), Schema.optional("title", LocalizedText.schema.orNull),
                Schema.optional("app", .boolean.orNull), Schema.optional("interventions", .boolean.orNull),
                Schema.optional("ratio", .integer.orNull),
                Schema.optional("crosses_after_days", .integer.orNull),
            ]),
        ])
        public static let example = Arm(
            key: "waiting",
            title: LocalizedText(translations: [("de", "Warteliste"), ("en", "waiting list")]),
            app: true, interventions: false, ratio: 1)
    }
}
