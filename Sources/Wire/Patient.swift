/// One course of therapy as its therapist sees it.
public struct Patient: Documented, Decodable {
    public static let type = "patient"
    public var codename: String
    /// A name for the therapist's eyes, as they gave it; at most 60 characters.
    public var alias: String?
    public var note: String?
    /// `code_open`, `code_expired`, `paired`, `ended`.
    public var state: String
    public var pairingCode: Code?
    public var birthDate: LocalDate?
    public var gender: String?
    public var therapyStartedOn: LocalDate?
    public var therapyEndsOn: LocalDate?
    public var therapyEndedOn: LocalDate?
    public var lastActivityAt: Instant?
    public var nextAppointmentAt: Instant?
    /// `own`, or what a colleague shares it for: `act`, `read`.
    public var access: String

    public struct Code: Codable, Sendable {
        /// Eight digits.
        public var code: String
        public var expiresAt: Instant

        public init(code: String, expiresAt: Instant) { (self.code, self.expiresAt) = (code, expiresAt) }

        enum CodingKeys: String, CodingKey {
            case code
            case expiresAt = "expires_at"
        }
    }

    public init(
        codename: String, alias: String? = nil, note: String?, state: String, pairingCode: Code?,
        birthDate: LocalDate?, gender: String?, therapyStartedOn: LocalDate?, therapyEndsOn: LocalDate?,
        therapyEndedOn: LocalDate?,
        lastActivityAt: Instant?, nextAppointmentAt: Instant?, access: String = "own"
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

    enum CodingKeys: String, CodingKey {
        case codename, alias, note, state, gender, access
        case pairingCode = "pairing_code"
        case birthDate = "birth_date"
        case therapyStartedOn = "therapy_started_on"
        case therapyEndsOn = "therapy_ends_on"
        case therapyEndedOn = "therapy_ended_on"
        case lastActivityAt = "last_activity_at"
        case nextAppointmentAt = "next_appointment_at"
    }

    public static let schema = Schema.object([
        Schema.property("codename", .string), Schema.property("alias", .string.orNull),
        Schema.property("note", .string.orNull),
        Schema.property("state", .choice(["code_open", "code_expired", "paired", "ended"])),
        Schema.property(
            "pairing_code",
            Schema.object([Schema.property("code", .string), Schema.property("expires_at", .time)]).orNull),
        Schema.property("birth_date", .date.orNull),
        Schema.property("gender", .choice(Gender.allCases.map(\.rawValue)).orNull),
        Schema.property("therapy_started_on", .date.orNull), Schema.property("therapy_ends_on", .date.orNull),
        Schema.property("therapy_ended_on", .date.orNull), Schema.property("last_activity_at", .time.orNull),
        Schema.property("next_appointment_at", .time.orNull),
        Schema.property("access", .choice(["own", "act", "read"])),
    ])
    public static let example = Patient(
        codename: "C020480", alias: "Frau Winter", note: "Dienstag", state: "code_open",
        pairingCode: Code(code: "39420603", expiresAt: Instant(milliseconds: 1_796_000_000_000)),
        birthDate: nil,
        gender: nil, therapyStartedOn: nil, therapyEndsOn: nil, therapyEndedOn: nil, lastActivityAt: nil,
        nextAppointmentAt: nil)
}

/// A session of a therapy; those that were held are numbered by their start.
public struct TherapySession: Documented, Decodable {
    public static let type = "session"
    /// From 1; nil for sessions that were not held, and for those before the therapy's begin.
    public var number: Int?
    public var startsAt: Instant
    public var endsAt: Instant
    /// `planned`, `held`, `missed`, `cancelled`.
    public var state: String
    public var appointmentID: String?

    public init(number: Int?, startsAt: Instant, endsAt: Instant, state: String, appointmentID: String?) {
        self.number = number
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.state = state
        self.appointmentID = appointmentID
    }

    enum CodingKeys: String, CodingKey {
        case number, state
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case appointmentID = "appointment_id"
    }

    public static let schema = Schema.object([
        Schema.property("number", .integer.orNull), Schema.property("starts_at", .time),
        Schema.property("ends_at", .time),
        Schema.property("state", .choice(["planned", "held", "missed", "cancelled"])),
        Schema.property("appointment_id", .id.orNull),
    ])
    public static let example = TherapySession(
        number: 1, startsAt: Instant(milliseconds: 1_790_000_000_000),
        endsAt: Instant(milliseconds: 1_790_003_000_000),
        state: "held", appointmentID: nil)
}

/// A session with what its therapist keeps of it; the other author's words are theirs.
public struct TherapySessionInFull: Documented, Decodable {
    public static let type = "session"

    /// A line of the agenda.
    public struct Item: Codable, Sendable, Equatable {
        public var text: String
        public var done: Bool

        public init(text: String, done: Bool) {
            self.text = text
            self.done = done
        }
    }

    /// From 1; nil for sessions that were not held, and for those before the therapy's begin.
    public var number: Int?
    public var startsAt: Instant
    public var endsAt: Instant
    /// `planned`, `held`, `missed`, `cancelled`.
    public var state: String
    public var appointmentID: String?
    /// What is open, and what was ticked off in this session.
    public var agenda: [Item]
    public var note: String?

    public init(_ session: TherapySession, agenda: [Item], note: String?) {
        number = session.number
        startsAt = session.startsAt
        endsAt = session.endsAt
        state = session.state
        appointmentID = session.appointmentID
        self.agenda = agenda
        self.note = note
    }

    enum CodingKeys: String, CodingKey {
        case number, state, agenda, note
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case appointmentID = "appointment_id"
    }

    public static let item = Schema.object([
        Schema.property("text", .string), Schema.property("done", .boolean),
    ])
    public static let schema = Schema.object([
        Schema.property("number", .integer.orNull), Schema.property("starts_at", .time),
        Schema.property("ends_at", .time),
        Schema.property("state", .choice(["planned", "held", "missed", "cancelled"])),
        Schema.property("appointment_id", .id.orNull), Schema.property("agenda", .list(item)),
        Schema.property("note", .string.orNull),
    ])
    public static let example = TherapySessionInFull(
        .example, agenda: [Item(text: "The talk with the brother", done: false)],
        note: "Slept better, the exam is near.")
}
