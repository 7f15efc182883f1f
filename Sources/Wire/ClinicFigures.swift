/// What the running therapies of one therapist come to: numbers only.
public struct ClinicFigures: Documented, Decodable {
    public static let type = "clinic_figures"

    /// How many of how many.
    public struct Share: Codable, Sendable, Equatable {
        public var answered: Int
        public var of: Int

        public init(answered: Int, of: Int) { (self.answered, self.of) = (answered, of) }
    }

    /// By name.
    public var therapist: String
    public var running: Int
    /// Without a sign of life for a week.
    public var silent: Int
    /// With a lead scale that is reliably worse than at the begin of the therapy.
    public var worsened: Int
    /// Daily prompts of the last 28 days.
    public var dailies: Share
    /// What else was due in the last 28 days.
    public var assignments: Share

    public init(
        therapist: String, running: Int, silent: Int, worsened: Int, dailies: Share, assignments: Share
    ) {
        self.therapist = therapist
        self.running = running
        self.silent = silent
        self.worsened = worsened
        self.dailies = dailies
        self.assignments = assignments
    }

    private static let share = Schema.object([
        Schema.property("answered", .integer), Schema.property("of", .integer),
    ])
    public static let schema = Schema.object([
        Schema.property("therapist", .string), Schema.property("running", .integer),
        Schema.property("silent", .integer), Schema.property("worsened", .integer),
        Schema.property("dailies", share), Schema.property("assignments", share),
    ])
    public static let example = ClinicFigures(
        therapist: "Dr. Ada Lindner", running: 14, silent: 2, worsened: 1,
        dailies: Share(answered: 720, of: 1014), assignments: Share(answered: 44, of: 50))
}
