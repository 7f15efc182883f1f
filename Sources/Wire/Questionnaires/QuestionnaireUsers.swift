/// The uses of a questionnaire that is to be retired: under `data` when that is refused.
public struct QuestionnaireUsers: Codable, Sendable {
    /// One thing with its name, or as many as there are of a kind.
    public struct Use: Codable, Sendable, Equatable, Narrowed {
        /// `dailies`, `battery`, `plan`, `reaction`, `study`, `assignments` or `protocol`.
        public var kind: String
        /// `own`, `clinic` or `others`.
        public var whose: String
        /// Nil for others' uses, and for ones that are only counted.
        public var name: String?
        public var count: Int

        public init(kind: String, whose: String, name: String?, count: Int) {
            self.kind = kind
            self.whose = whose
            self.name = name
            self.count = count
        }

        public static let narrowed: [String: Schema] = [
            "kind": .choice(["dailies", "battery", "plan", "reaction", "study", "assignments", "protocol"]),
            "whose": .choice(["own", "clinic", "others"]),
        ]
    }

    public var usedBy: [Use]

    public init(usedBy: [Use]) { self.usedBy = usedBy }

    public static let example = QuestionnaireUsers(usedBy: [
        Use(kind: "battery", whose: "clinic", name: "Beginn", count: 1),
        Use(kind: "plan", whose: "own", name: nil, count: 3),
        Use(kind: "reaction", whose: "own", name: "Gedrückte Stimmung", count: 1),
        Use(kind: "reaction", whose: "others", name: nil, count: 2),
    ])
}
