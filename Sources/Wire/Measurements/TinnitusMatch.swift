/// A run of matching a tinnitus with a sound: the sound when it was found alike. Levels are over the person's own
/// threshold, because a phone cannot know absolute ones.
public struct TinnitusMatch: Documented, Decodable {
    public static let type = "tinnitus_match"
    public static let methods = ["like", "slider", "2afc"]
    public static let ears = ["left", "right", "both"]
    public static let kinds = ["tone", "noise"]

    public var matchedAt: Instant
    public var method: String
    public var ear: String
    public var kind: String
    public var frequencyHz: Double
    public var levelSlDb: Double
    public var certainty: Double
    /// Counts the runs of one sitting.
    public var run: Int
    /// Of a noise; nil for a tone.
    public var bandwidthOctaves: Double?
    public var headphones: String?
    public var device: String?

    public init(
        matchedAt: Instant, method: String, ear: String, kind: String, frequencyHz: Double, levelSlDb: Double,
        bandwidthOctaves: Double? = nil, certainty: Double, headphones: String? = nil, device: String? = nil,
        run: Int
    ) {
        self.matchedAt = matchedAt
        self.method = method
        self.ear = ear
        self.kind = kind
        self.frequencyHz = frequencyHz
        self.levelSlDb = levelSlDb
        self.bandwidthOctaves = bandwidthOctaves
        self.certainty = certainty
        self.headphones = headphones
        self.device = device
        self.run = run
    }

    public static let narrowed: [String: Schema] = [
        "method": .choice(methods), "ear": .choice(ears), "kind": .choice(kinds),
    ]
    /// What a client may send.
    public static let sent = schema.sent
    public static let example = TinnitusMatch(
        matchedAt: .example, method: "slider", ear: "right", kind: "tone", frequencyHz: 6_137.5,
        levelSlDb: 12, certainty: 7, headphones: "over_ear", run: 1)
}

/// All runs of a person, with their summary: never a single one by itself.
public struct TinnitusMatches: Codable, Sendable {
    public struct Meta: Codable, Sendable {
        public var total: Int
        public var next: String?
        public var runs: Int
        /// Null without a run.
        public var medianHz: Double?
        /// The lower and the upper one; null without a run.
        public var quartilesHz: [Double]?
        /// Whether the runs form two clusters about an octave apart.
        public var octaveApart: Bool

        public init(
            total: Int, next: String?, runs: Int, medianHz: Double?, quartilesHz: [Double]?, octaveApart: Bool
        ) {
            self.total = total
            self.next = next
            self.runs = runs
            self.medianHz = medianHz
            self.quartilesHz = quartilesHz
            self.octaveApart = octaveApart
        }
    }

    public let data: [Item<TinnitusMatch>]
    public let meta: Meta

    public init(_ data: [Item<TinnitusMatch>], meta: Meta) {
        self.data = data
        self.meta = meta
    }
}
