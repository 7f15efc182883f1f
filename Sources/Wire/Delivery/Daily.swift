/// A daily of the plan: its window, and its assignment.
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

    public static let example = Daily(
        availableFrom: .example, dueAt: Instant(milliseconds: 1_795_001_800_000),
        assignmentID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12")
}
