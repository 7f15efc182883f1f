/// A pairing code as the patient sees it before using it.
public struct PairingCode: Documented, Decodable {
    public static let type = "pairing_code"
    public var therapistName: String
    public var expiresAt: Instant

    public init(therapistName: String, expiresAt: Instant) {
        self.therapistName = therapistName
        self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
        case therapistName = "therapist_name"
        case expiresAt = "expires_at"
    }

    public static let schema = Schema.object([
        Schema.property("therapist_name", .string), Schema.property("expires_at", .time),
    ])
    public static let example = PairingCode(
        therapistName: "Dr. Ada Lindner", expiresAt: Instant(milliseconds: 1_796_000_000_000))
}

/// What patients see of their therapist.
public struct Therapist: Documented, Decodable {
    public static let type = "therapist"
    /// With degree.
    public var name: String
    public var email: String
    public var gender: String?
    public var practiceAddress: Address
    public var phone: String?
    public var emergencyPhone: String?

    public struct Address: Codable, Sendable {
        public var street: String?
        public var postalCode: String?
        public var city: String?
        public var country: String?

        public init(
            street: String? = nil, postalCode: String? = nil, city: String? = nil, country: String? = nil
        ) {
            self.street = street
            self.postalCode = postalCode
            self.city = city
            self.country = country
        }

        enum CodingKeys: String, CodingKey {
            case street, city, country
            case postalCode = "postal_code"
        }
    }

    public init(
        name: String, email: String, gender: String?, practiceAddress: Address, phone: String?,
        emergencyPhone: String?
    ) {
        self.name = name
        self.email = email
        self.gender = gender
        self.practiceAddress = practiceAddress
        self.phone = phone
        self.emergencyPhone = emergencyPhone
    }

    enum CodingKeys: String, CodingKey {
        case name, email, gender, phone
        case practiceAddress = "practice_address"
        case emergencyPhone = "emergency_phone"
    }

    public static let addressSchema = Schema.object(
        ["street", "postal_code", "city", "country"].map { Schema.property($0, .string.orNull) })
    public static let schema = Schema.object([
        Schema.property("name", .string), Schema.property("email", .formatted("email")),
        Schema.property("gender", .choice(Gender.allCases.map(\.rawValue)).orNull),
        Schema.property("practice_address", addressSchema), Schema.property("phone", .string.orNull),
        Schema.property("emergency_phone", .string.orNull),
    ])
    public static let example = Therapist(
        name: "Dr. Ada Lindner", email: "ada@example.org", gender: "female",
        practiceAddress: Address(street: "Lindengasse 4", postalCode: "1070", city: "Wien", country: "AT"),
        phone: "+43 1 5550 100", emergencyPhone: nil)
}
