/// Answers of a sheet that have to be seen, as they were marked.
public struct SeenAnswer: Documented, Decodable {
    public static let type = "seen_answer"
    public var contributionID: String
    /// Null for a sheet without such an answer.
    public var acknowledgedAt: Instant?
    /// The name of the member of staff.
    public var acknowledgedBy: String?
    public var comment: String?

    public init(
        contributionID: String, acknowledgedAt: Instant?, acknowledgedBy: String?, comment: String?
    ) {
        self.contributionID = contributionID
        self.acknowledgedAt = acknowledgedAt
        self.acknowledgedBy = acknowledgedBy
        self.comment = comment
    }

    public static let example = SeenAnswer(
        contributionID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", acknowledgedAt: .example,
        acknowledgedBy: "Dr. Jonas Kern", comment: "Angerufen um 8:10, Termin heute 16:00.")
}
