/// A lead of a study.
public struct StudyLeadAttributes: Documented, Decodable {
    public static let type = "study_lead"
    public var name: String
    public var email: String

    public init(name: String, email: String) {
        self.name = name
        self.email = email
    }

    /// The members for adding a lead.
    public static let sent = Schema.object([Schema.property("email", .string)])
    public static let example = StudyLeadAttributes(name: "Lena Moser", email: "lena@example.org")
}
