/// A note that asks a therapist to look at something. Answers are not monitored around the clock.
public struct Alert: Documented, Decodable {
    public static let type = "alert"
    public var patientID: String
    public var codename: String
    public var title: String
    /// `answer` for one that must be seen or a reliable worsening, `course`, `technical`.
    public var grade: String
    public var reason: String
    /// The advice, in the words of the rule's author.
    public var advice: String?
    public var raisedAt: Instant
    public var acknowledgedAt: Instant?
    public var comment: String?

    public init(
        patientID: String, codename: String, title: String, grade: String, reason: String, advice: String?,
        raisedAt: Instant, acknowledgedAt: Instant?, comment: String?
    ) {
        self.patientID = patientID
        self.codename = codename
        self.title = title
        self.grade = grade
        self.reason = reason
        self.advice = advice
        self.raisedAt = raisedAt
        self.acknowledgedAt = acknowledgedAt
        self.comment = comment
    }

    public static let narrowed: [String: Schema] = ["grade": .choice(["answer", "course", "technical"])]
    public static let example = Alert(
        patientID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", title: "Belastung hoch",
        grade: "answer", reason: "Stimmung höchstens 2: 1, 2", advice: "Anrufen.", raisedAt: .example,
        acknowledgedAt: nil, comment: nil)
}
