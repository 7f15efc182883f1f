/// What a new clinic can begin with, and how much of it is there.
public struct StarterSet: Documented, Decodable {
    public static let type = "starter_set"
    public var questionnaires: [Piece]
    /// Whether there is a battery of these questionnaires.
    public var battery: Bool

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

    public init(questionnaires: [Piece], battery: Bool) {
        self.questionnaires = questionnaires
        self.battery = battery
    }

    /// `only`: the key of one questionnaire; left out, everything that is missing.
    public static let sent = Schema.object([Schema.optional("only", .string.orNull)])
    public static let schema = Schema.object([
        Schema.property(
            "questionnaires",
            .list(
                .object([
                    Schema.property("key", .string), Schema.property("title", .string),
                    Schema.property("state", .choice(["missing", "taken", "archived"])),
                ]))), Schema.property("battery", .boolean),
    ])
    public static let example = StarterSet(
        questionnaires: [Piece(key: "intersession-daily", title: "Kurz gefragt", state: "missing")],
        battery: false)
}
