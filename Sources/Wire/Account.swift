/// `GET /health`.
public struct Health: Documented, Decodable {
    public static let type = "health"
    public var status: String
    public var version: String
    public var database: String
    public var parts: [Part]

    /// One thing that has to work, by its name.
    public struct Part: Codable, Sendable, Equatable {
        public var name: String
        /// `ok`, `failing`.
        public var status: String
        public var since: Instant

        public static let states = ["ok", "failing"]

        public init(name: String, status: String, since: Instant) {
            self.name = name
            self.status = status
            self.since = since
        }

        static let schema = Schema.object([
            Schema.property("name", .string), Schema.property("status", .choice(states)),
            Schema.property("since", .time),
        ])
    }

    public init(status: String, version: String, database: String, parts: [Part]) {
        self.status = status
        self.version = version
        self.database = database
        self.parts = parts
    }

    public static let schema = Schema.object([
        Schema.property("status", .string), Schema.property("version", .string),
        Schema.property("database", .string), Schema.property("parts", .list(Part.schema)),
    ])
    public static let example = Health(
        status: "ok", version: "1.0", database: "ok",
        parts: [Part(name: "disk", status: "ok", since: Instant(milliseconds: 1_795_000_000_000))])
}

/// `GET /auth/email-available`.
public struct EmailAvailability: Documented, Decodable {
    public static let type = "email_availability"
    public var available: Bool

    public init(available: Bool) { self.available = available }

    public static let schema = Schema.object([Schema.property("available", .boolean)])
    public static let example = EmailAvailability(available: true)
}

/// A patient's account as its owner sees it while registering.
public struct Account: Documented, Decodable {
    public static let type = "account"
    public var email: String
    public var emailVerified: Bool
    public var researchConsent: Bool
    public var language: String
    public var timezone: String

    public init(
        email: String, emailVerified: Bool, researchConsent: Bool, language: String, timezone: String
    ) {
        self.email = email
        self.emailVerified = emailVerified
        self.researchConsent = researchConsent
        self.language = language
        self.timezone = timezone
    }

    enum CodingKeys: String, CodingKey {
        case email, language, timezone
        case emailVerified = "email_verified"
        case researchConsent = "research_consent"
    }

    public static let schema = Schema.object([
        Schema.property("email", .formatted("email")), Schema.property("email_verified", .boolean),
        Schema.property("research_consent", .boolean), Schema.property("language", .language),
        Schema.property("timezone", .string),
    ])
    public static let example = Account(
        email: "pia@example.org", emailVerified: false, researchConsent: false, language: "de",
        timezone: "Europe/Vienna")
}

/// What a login answers.
public struct AccessToken: Documented, Decodable {
    public static let type = "token"
    public var token: String
    public var expiresAt: Instant
    /// `patient`, `therapist`, `lead`, `admin`.
    public var roles: [String]
    public var paired: Bool

    public init(token: String, expiresAt: Instant, roles: [String], paired: Bool) {
        self.token = token
        self.expiresAt = expiresAt
        self.roles = roles
        self.paired = paired
    }

    enum CodingKeys: String, CodingKey {
        case token, roles, paired
        case expiresAt = "expires_at"
    }

    public static let schema = Schema.object([
        Schema.property("token", .string), Schema.property("expires_at", .time),
        Schema.property("roles", .list(.choice(["patient", "therapist", "lead", "admin"]))),
        Schema.property("paired", .boolean),
    ])
    public static let example = AccessToken(
        token: "3o6XyVYqk2Jm0Qn5c1mBvY0dYp7nF2rQk8sLwT4uZaE",
        expiresAt: Instant(milliseconds: 1_800_000_000_000),
        roles: ["patient"], paired: false)
}

/// The signed-in person.
public struct Profile: Documented, Decodable {
    public static let type = "profile"
    public var email: String
    public var emailVerified: Bool
    public var roles: [String]
    public var language: String
    public var timezone: String
    public var paired: Bool
    public var researchConsent: Bool
    public var name: String?
    /// ISO/IEC 5218: 0 not known, 1 male, 2 female, 9 not applicable.
    public var sex: Int?
    public var patient: Details?

    /// What is known of a paired patient.
    public struct Details: Codable, Sendable {
        public var codename: String
        public var birthDate: LocalDate?
        public var gender: String?
        public var therapyStartedOn: LocalDate?
        public var therapyEndsOn: LocalDate?
        public var therapistName: String

        public init(
            codename: String, birthDate: LocalDate?, gender: String?, therapyStartedOn: LocalDate?,
            therapyEndsOn: LocalDate?, therapistName: String
        ) {
            self.codename = codename
            self.birthDate = birthDate
            self.gender = gender
            self.therapyStartedOn = therapyStartedOn
            self.therapyEndsOn = therapyEndsOn
            self.therapistName = therapistName
        }

        enum CodingKeys: String, CodingKey {
            case codename, gender
            case birthDate = "birth_date"
            case therapyStartedOn = "therapy_started_on"
            case therapyEndsOn = "therapy_ends_on"
            case therapistName = "therapist_name"
        }
    }

    public init(
        email: String, emailVerified: Bool, roles: [String], language: String, timezone: String, paired: Bool,
        researchConsent: Bool, name: String?, sex: Int?, patient: Details?
    ) {
        self.email = email
        self.emailVerified = emailVerified
        self.roles = roles
        self.language = language
        self.timezone = timezone
        self.paired = paired
        self.researchConsent = researchConsent
        self.name = name
        self.sex = sex
        self.patient = patient
    }

    enum CodingKeys: String, CodingKey {
        case email, roles, language, timezone, paired, name, sex, patient
        case emailVerified = "email_verified"
        case researchConsent = "research_consent"
    }

    public static let schema = Schema.object([
        Schema.property("email", .formatted("email")), Schema.property("email_verified", .boolean),
        Schema.property("roles", .list(.choice(["patient", "therapist", "lead", "admin"]))),
        Schema.property("language", .language), Schema.property("timezone", .string),
        Schema.property("paired", .boolean), Schema.property("research_consent", .boolean),
        Schema.property("name", .string.orNull), Schema.property("sex", .integer.orNull),
        Schema.property(
            "patient",
            Schema.object([
                Schema.property("codename", .string), Schema.property("birth_date", .date.orNull),
                Schema.property("gender", .choice(Gender.allCases.map(\.rawValue)).orNull),
                Schema.property("therapy_started_on", .date.orNull),
                Schema.property("therapy_ends_on", .date.orNull), Schema.property("therapist_name", .string),
            ]).orNull),
    ])
    public static let example = Profile(
        email: "pia@example.org", emailVerified: true, roles: ["patient"], language: "de",
        timezone: "Europe/Vienna", paired: true, researchConsent: false, name: nil, sex: nil,
        patient: Details(
            codename: "C020480", birthDate: LocalDate("1990-05-17"), gender: "female",
            therapyStartedOn: LocalDate("2026-08-25"), therapyEndsOn: nil, therapistName: "Dr. Ada Lindner"))
}

/// What somebody may say of their gender.
public enum Gender: String, Codable, Sendable, CaseIterable {
    case female, male, diverse
    case notStated = "not_stated"
}
