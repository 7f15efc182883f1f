/// What rests on a questionnaire that is to go out of use: under `data` where this is refused.
public struct QuestionnaireUsers: Codable, Sendable {
    /// One thing with its name, or as many as there are of a kind.
    public struct Use: Codable, Sendable, Equatable {
        /// `dailies`, `battery`, `plan`, `reaction`, `study`, `assignments` or `protocol`.
        public var kind: String
        /// `own`, `clinic` or `others`.
        public var whose: String
        /// Nil for what others made, and for what is only counted.
        public var name: String?
        public var count: Int

        public init(kind: String, whose: String, name: String?, count: Int) {
            self.kind = kind
            self.whose = whose
            self.name = name
            self.count = count
        }
    }

    public var usedBy: [Use]

    public init(usedBy: [Use]) { self.usedBy = usedBy }

    enum CodingKeys: String, CodingKey { case usedBy = "used_by" }

    public static let schema = Schema.object([
        Schema.property(
            "used_by",
            .list(
                .object([
                    Schema.property(
                        "kind",
                        .choice([
                            "dailies", "battery", "plan", "reaction", "study", "assignments", "protocol",
                        ])),
                    Schema.property("whose", .choice(["own", "clinic", "others"])),
                    Schema.property("name", .string.orNull), Schema.property("count", .integer),
                ])))
    ])

    public static let example = QuestionnaireUsers(usedBy: [
        Use(kind: "battery", whose: "clinic", name: "Beginn", count: 1),
        Use(kind: "plan", whose: "own", name: nil, count: 3),
        Use(kind: "reaction", whose: "own", name: "Gedrückte Stimmung", count: 1),
        Use(kind: "reaction", whose: "others", name: nil, count: 2),
    ])
}
