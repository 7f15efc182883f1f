/// `GET /health`.
public struct Health: Documented, Decodable {
    public static let type = "health"
    public var status: String
    public var version: String
    public var database: String
    public var parts: [Part]
    /// Lines of the log that were lost since the start, because their reader stalled or they could not be written.
    public var logLinesLost: Int?
    /// The time zones that are in use.
    public var zones: Zones?

    /// Where time zones come from, and how old they are.
    public struct Zones: Codable, Sendable, Equatable, Narrowed {
        /// Of tzdata: `2026f`.
        public var version: String
        /// `system`, or `program` where the system has none.
        public var source: String
        /// When the system's were made; null for the program's own.
        public var madeAt: Instant?
        /// Zones whose files are missing or torn, for which the program's own serve.
        public var torn: [String]

        public static let sources = ["system", "program"]

        public init(version: String, source: String, madeAt: Instant?, torn: [String]) {
            self.version = version
            self.source = source
            self.madeAt = madeAt
            self.torn = torn
        }

        public static let narrowed: [String: Schema] = ["source": .choice(sources)]
    }

    /// One thing that has to work, by its name.
    public struct Part: Codable, Sendable, Equatable, Narrowed {
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

        public static let narrowed: [String: Schema] = ["status": .choice(states)]
    }

    public init(
        status: String, version: String, database: String, parts: [Part], logLinesLost: Int? = nil,
        zones: Zones? = nil
    ) {
        self.status = status
        self.version = version
        self.database = database
        self.parts = parts
        self.logLinesLost = logLinesLost
        self.zones = zones
    }

    public static let example = Health(
        status: "ok", version: "1.0", database: "ok",
        parts: [Part(name: "disk", status: "ok", since: .example)], logLinesLost: 0,
        zones: Zones(version: "2026f", source: "system", madeAt: .example, torn: []))
}

/// `GET /auth/email-available`.
public struct EmailAvailability: Documented, Decodable {
    public static let type = "email_availability"
    public var available: Bool

    public init(available: Bool) { self.available = available }

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

    public static let example = Account(
        email: "pia@example.org", emailVerified: false, researchConsent: false, language: "de",
        timezone: "Europe/Vienna")
}

/// The answer to a login.
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

    public static let narrowed: [String: Schema] = [
        "roles": .list(.choice(["patient", "therapist", "lead", "admin"]))
    ]
    public static let example = AccessToken(
        token: "3o6XyVYqk2Jm0Qn5c1mBvY0dYp7nF2rQk8sLwT4uZaE",
        expiresAt: Instant(milliseconds: 1_800_000_000_000), roles: ["patient"], paired: false)
}

/// The signed-in account.
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

    /// Data of a paired patient.
    public struct Details: Codable, Sendable {
        public var codename: String
        public var birthDate: LocalDate?
        public var gender: Gender?
        public var therapyStartedOn: LocalDate?
        public var therapyEndsOn: LocalDate?
        public var therapistName: String

        public init(
            codename: String, birthDate: LocalDate?, gender: Gender?, therapyStartedOn: LocalDate?,
            therapyEndsOn: LocalDate?, therapistName: String
        ) {
            self.codename = codename
            self.birthDate = birthDate
            self.gender = gender
            self.therapyStartedOn = therapyStartedOn
            self.therapyEndsOn = therapyEndsOn
            self.therapistName = therapistName
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

    public static let narrowed: [String: Schema] = [
        "roles": .list(.choice(["patient", "therapist", "lead", "admin"]))
    ]
    public static let example = Profile(
        email: "pia@example.org", emailVerified: true, roles: ["patient"], language: "de",
        timezone: "Europe/Vienna", paired: true, researchConsent: false, name: nil, sex: nil,
        patient: Details(
            codename: "C020480", birthDate: LocalDate("1990-05-17"), gender: .female,
            therapyStartedOn: LocalDate("2026-08-25"), therapyEndsOn: nil, therapistName: "Dr. Ada Lindner"))
}

/// A person's gender, as they state it.
public enum Gender: String, Codable, Sendable, CaseIterable {
    case female, male, diverse
    case notStated = "not_stated"
}
