/// A lead of a study.
public struct StudyLeadAttributes: Documented, Decodable {
    public static let type = "study_lead"
    public var name: String
    public var email: String
    /// Whether they must not learn the arm of a participant; nil in answers of servers of before there were such leads.
    public var masked: Bool?

    public init(name: String, email: String, masked: Bool = false) {
        self.name = name
        self.email = email
        self.masked = masked
    }

    /// The members for adding a lead.
    public static let sent = Schema.object([
        Schema.property("email", .string), Schema.optional("masked", .boolean),
    ])
    public static let example = StudyLeadAttributes(name: "Lena Moser", email: "lena@example.org")
}
