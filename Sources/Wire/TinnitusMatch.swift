/// A run of matching one's tinnitus with a sound: the sound that was played when it was found alike. Levels are over the
/// person's own threshold, because a phone cannot know absolute ones.
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
    /// Of a noise; nil for a tone.
    public var bandwidthOctaves: Double?
    public var certainty: Double
    public var headphones: String?
    public var device: String?
    /// Counts the runs of one sitting.
    public var run: Int

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

    enum CodingKeys: String, CodingKey {
        case method, ear, kind, certainty, headphones, device, run
        case matchedAt = "matched_at"
        case frequencyHz = "frequency_hz"
        case levelSlDb = "level_sl_db"
        case bandwidthOctaves = "bandwidth_octaves"
    }

    private static let compulsory = [
        Schema.property("matched_at", .time), Schema.property("method", .choice(methods)),
        Schema.property("ear", .choice(ears)), Schema.property("kind", .choice(kinds)),
        Schema.property("frequency_hz", .number), Schema.property("level_sl_db", .number),
        Schema.property("certainty", .number), Schema.property("run", .integer),
    ]

    /// What a client may send.
    public static let sent = Schema.object(
        compulsory + [
            Schema.optional("bandwidth_octaves", .number.orNull),
            Schema.optional("headphones", .string.orNull), Schema.optional("device", .string.orNull),
        ])
    public static let schema = Schema.object(
        compulsory + [
            Schema.property("bandwidth_octaves", .number.orNull),
            Schema.property("headphones", .string.orNull), Schema.property("device", .string.orNull),
        ])
    public static let example = TinnitusMatch(
        matchedAt: Instant(milliseconds: 1_795_000_000_000), method: "slider", ear: "right", kind: "tone",
        frequencyHz: 6_137.5, levelSlDb: 12, certainty: 7, headphones: "over_ear", run: 1)
}

/// All runs of somebody, with what they say together: never a single one by itself.
public struct TinnitusMatches: Codable, Sendable {
    public struct Meta: Codable, Sendable {
        public var total: Int
        public var next: String?
        public var runs: Int
        /// Null without a run.
        public var medianHz: Double?
        /// The lower and the upper one; null without a run.
        public var quartilesHz: [Double]?
        /// Whether the runs fall into two clusters that lie about an octave apart.
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

        enum CodingKeys: String, CodingKey {
            case total, next, runs
            case medianHz = "median_hz"
            case quartilesHz = "quartiles_hz"
            case octaveApart = "octave_apart"
        }
    }

    public let data: [Item<TinnitusMatch>]
    public let meta: Meta

    public init(_ data: [Item<TinnitusMatch>], meta: Meta) {
        self.data = data
        self.meta = meta
    }
}
