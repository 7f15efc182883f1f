/// Somebody who leads a study.
public struct StudyLeadAttributes: Documented, Decodable {
    public static let type = "study_lead"
    public var name: String
    public var email: String

    public init(name: String, email: String) {
        self.name = name
        self.email = email
    }

    /// What is sent to take somebody in.
    public static let sent = Schema.object([Schema.property("email", .string)])
    public static let schema = Schema.object([
        Schema.property("name", .string), Schema.property("email", .string),
    ])
    public static let example = StudyLeadAttributes(name: "Lena Moser", email: "lena@example.org")
}
