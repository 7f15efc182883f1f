/// A pairing code, shown to the patient before it is used.
public struct PairingCode: Documented, Decodable {
    public static let type = "pairing_code"
    public var therapistName: String
    public var expiresAt: Instant

    public init(therapistName: String, expiresAt: Instant) {
        self.therapistName = therapistName
        self.expiresAt = expiresAt
    }

    public static let example = PairingCode(
        therapistName: "Dr. Ada Lindner", expiresAt: Instant(milliseconds: 1_796_000_000_000))
}

/// A therapist as patients see them.
public struct Therapist: Documented, Decodable {
    public static let type = "therapist"
    /// With degree.
    public var name: String
    public var email: String
    public var gender: Gender?
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
    }

    public init(
        name: String, email: String, gender: Gender?, practiceAddress: Address, phone: String?,
        emergencyPhone: String?
    ) {
        self.name = name
        self.email = email
        self.gender = gender
        self.practiceAddress = practiceAddress
        self.phone = phone
        self.emergencyPhone = emergencyPhone
    }

    public static let example = Therapist(
        name: "Dr. Ada Lindner", email: "ada@example.org", gender: .female,
        practiceAddress: Address(street: "Lindengasse 4", postalCode: "1070", city: "Wien", country: "AT"),
        phone: "+43 1 5550 100", emergencyPhone: nil)
}
