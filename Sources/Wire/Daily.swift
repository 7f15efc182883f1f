/// A daily of the plan: when it opens and closes, and the assignment it is.
public struct Daily: Documented, Decodable {
    public static let type = "daily"
    public var availableFrom: Instant
    public var dueAt: Instant
    public var assignmentID: String

    public init(availableFrom: Instant, dueAt: Instant, assignmentID: String) {
        self.availableFrom = availableFrom
        self.dueAt = dueAt
        self.assignmentID = assignmentID
    }

    enum CodingKeys: String, CodingKey {
        case availableFrom = "available_from"
        case dueAt = "due_at"
        case assignmentID = "assignment_id"
    }

    public static let schema = Schema.object([
        Schema.property("available_from", .time), Schema.property("due_at", .time),
        Schema.property("assignment_id", .id),
    ])
    public static let example = Daily(
        availableFrom: Instant(milliseconds: 1_795_000_000_000),
        dueAt: Instant(milliseconds: 1_795_001_800_000), assignmentID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12")
}
