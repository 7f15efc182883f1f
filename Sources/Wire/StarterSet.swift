/// What a new clinic can begin with, and how much of it is there.
public struct StarterSet: Documented, Decodable {
    public static let type = "starter_set"
    public var questionnaires: [Piece]
    /// Those about tinnitus, for clinics that treat it.
    public var tinnitus: [Piece]
    /// Whether there is a battery of these questionnaires.
    public var battery: Bool
    /// How many texts of interventions are missing for the clinic, and how many reactions for the reader.
    public var interventionsMissing: Int
    public var reactionsMissing: Int
    /// Whether the protocol of the set is missing for the reader: 1 or 0.
    public var protocolsMissing: Int

    enum CodingKeys: String, CodingKey {
        case questionnaires, tinnitus, battery
        case interventionsMissing = "interventions_missing"
        case reactionsMissing = "reactions_missing"
        case protocolsMissing = "protocols_missing"
    }

    public struct Piece: Codable, Sendable {
        public var key: String
        public var title: String
        /// `missing`, `taken`, `archived`.
        public var state: String

        public init(key: String, title: String, state: String) {
            self.key = key
            self.title = title
            self.state = state
        }
    }

    public init(
        questionnaires: [Piece], tinnitus: [Piece], battery: Bool, interventionsMissing: Int = 0,
        reactionsMissing: Int = 0,
        protocolsMissing: Int = 0
    ) {
        self.questionnaires = questionnaires
        self.tinnitus = tinnitus
        self.battery = battery
        self.interventionsMissing = interventionsMissing
        self.reactionsMissing = reactionsMissing
        self.protocolsMissing = protocolsMissing
    }

    /// `only`: the key of one questionnaire, or `tinnitus` for the five about it; left out, everything else that is missing.
    public static let sent = Schema.object([Schema.optional("only", .string.orNull)])
    private static let pieces = Schema.list(
        .object([
            Schema.property("key", .string), Schema.property("title", .string),
            Schema.property("state", .choice(["missing", "taken", "archived"])),
        ]))
    public static let schema = Schema.object([
        Schema.property("questionnaires", pieces), Schema.property("tinnitus", pieces),
        Schema.property("battery", .boolean),
        Schema.property("interventions_missing", .integer), Schema.property("reactions_missing", .integer),
        Schema.property("protocols_missing", .integer),
    ])
    public static let example = StarterSet(
        questionnaires: [Piece(key: "intersession-daily", title: "Tagesabfrage", state: "missing")],
        tinnitus: [Piece(key: "tinnitus-moment", title: "Wie es gerade klingt", state: "missing")],
        battery: false, interventionsMissing: 15, reactionsMissing: 4)
}
