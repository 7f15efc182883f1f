/// One course of therapy, for its therapist.
public struct Patient: Documented, Decodable {
    public static let type = "patient"
    public var codename: String
    /// The therapist's name for the patient; at most 60 characters.
    public var alias: String?
    public var note: String?
    /// `code_open`, `code_expired`, `paired`, `ended`.
    public var state: String
    public var pairingCode: Code?
    public var birthDate: LocalDate?
    public var gender: Gender?
    public var therapyStartedOn: LocalDate?
    public var therapyEndsOn: LocalDate?
    public var therapyEndedOn: LocalDate?
    public var lastActivityAt: Instant?
    public var nextAppointmentAt: Instant?
    /// `own`, or the rights given by a colleague: `act`, `read`.
    public var access: String

    public struct Code: Codable, Sendable {
        /// Eight digits.
        public var code: String
        public var expiresAt: Instant

        public init(code: String, expiresAt: Instant) { (self.code, self.expiresAt) = (code, expiresAt) }
    }

    public init(
        codename: String, alias: String? = nil, note: String?, state: String, pairingCode: Code?,
        birthDate: LocalDate?, gender: Gender?, therapyStartedOn: LocalDate?, therapyEndsOn: LocalDate?,
        therapyEndedOn: LocalDate?, lastActivityAt: Instant?, nextAppointmentAt: Instant?,
        access: String = "own"
    ) {
        self.codename = codename
        self.alias = alias
        self.note = note
        self.state = state
        self.pairingCode = pairingCode
        self.birthDate = birthDate
        self.gender = gender
        self.therapyStartedOn = therapyStartedOn
        self.therapyEndsOn = therapyEndsOn
        self.therapyEndedOn = therapyEndedOn
        self.lastActivityAt = lastActivityAt
        self.nextAppointmentAt = nextAppointmentAt
        self.access = access
    }

    public static let narrowed: [String: Schema] = [
        "state": .choice(["code_open", "code_expired", "paired", "ended"]),
        "access": .choice(["own", "act", "read"]),
    ]
    public static let example = Patient(
        codename: "C020480", alias: "Frau Winter", note: "Dienstag", state: "code_open",
        pairingCode: Code(code: "39420603", expiresAt: Instant(milliseconds: 1_796_000_000_000)),
        birthDate: nil, gender: nil, therapyStartedOn: nil, therapyEndsOn: nil, therapyEndedOn: nil,
        lastActivityAt: nil, nextAppointmentAt: nil)
}
