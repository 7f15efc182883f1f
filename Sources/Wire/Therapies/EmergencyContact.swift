/// The person to call where a patient cannot be reached.
public struct EmergencyContact: Documented, Codable {
    public static let type = "emergency_contact"
    public var name: String
    public var relation: String?
    public var phone: String
    /// Whether the person knows of the therapy.
    public var knows: Bool

    public init(name: String, relation: String?, phone: String, knows: Bool) {
        self.name = name
        self.relation = relation
        self.phone = phone
        self.knows = knows
    }

    public static let sent = schema.sent
    public static let example = EmergencyContact(
        name: "Maria Tal", relation: "Schwester", phone: "+43 1 234 56 78", knows: true)
}
