/// A colleague who stands in from day to day.
public struct Cover: Documented, Decodable {
    public static let type = "cover"

    /// Named patients by their ids, or `all` running ones.
    public enum Patients: Codable, Sendable, Equatable {
        case all
        case named([String])

        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let word = try? container.decode(String.self), word == "all" {
                self = .all
            } else {
                self = .named(try container.decode([String].self))
            }
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .all: try container.encode("all")
            case .named(let ids): try container.encode(ids)
            }
        }
    }

    /// `given` by the caller, or `received`.
    public var direction: String
    /// Whose patients they are, and who stands in: names.
    public var therapist: String
    public var colleague: String
    public var patients: Patients
    /// Days of the clinic's calendar, both included.
    public var from: LocalDate
    public var until: LocalDate
    /// `read` and acknowledge alerts, or `act`.
    public var access: String
    /// When it was ended before its time.
    public var endedAt: Instant?

    public init(
        direction: String, therapist: String, colleague: String, patients: Patients, from: LocalDate,
        until: LocalDate, access: String, endedAt: Instant?
    ) {
        self.direction = direction
        self.therapist = therapist
        self.colleague = colleague
        self.patients = patients
        self.from = from
        self.until = until
        self.access = access
        self.endedAt = endedAt
    }

    enum CodingKeys: String, CodingKey {
        case direction, therapist, colleague, patients, from, until, access
        case endedAt = "ended_at"
    }

    private static let whom = Schema.either([.choice(["all"]), .list(.id)])
    private static let access = Schema.choice(["read", "act"])

    /// What is sent.
    public static let sent = Schema.object([
        Schema.property("colleague_email", .formatted("email")), Schema.property("patients", whom),
        Schema.property("from", .date), Schema.property("until", .date), Schema.property("access", access),
    ])
    public static let schema = Schema.object([
        Schema.property("direction", .choice(["given", "received"])), Schema.property("therapist", .string),
        Schema.property("colleague", .string), Schema.property("patients", whom),
        Schema.property("from", .date), Schema.property("until", .date), Schema.property("access", access),
        Schema.property("ended_at", .time.orNull),
    ])
    public static let example = Cover(
        direction: "given", therapist: "Dr. Ada Lindner", colleague: "Mag. Ben Steiner", patients: .all,
        from: LocalDate(daysSince1970: 20_800), until: LocalDate(daysSince1970: 20_810), access: "read",
        endedAt: nil)
}

/// Somebody beside the therapist who may open a file.
public struct TherapyMember: Documented, Decodable {
    public static let type = "member"
    public var name: String
    /// `therapist` acts, `supervisor` reads.
    public var role: String
    /// Whether the first therapist shares alias, note and agenda.
    public var sharesWords: Bool
    public var addedAt: Instant

    public init(name: String, role: String, sharesWords: Bool, addedAt: Instant) {
        self.name = name
        self.role = role
        self.sharesWords = sharesWords
        self.addedAt = addedAt
    }

    enum CodingKeys: String, CodingKey {
        case name, role
        case sharesWords = "shares_words"
        case addedAt = "added_at"
    }

    private static let role = Schema.choice(["therapist", "supervisor"])

    /// What is sent.
    public static let sent = Schema.object([
        Schema.property("email", .formatted("email")), Schema.property("role", role),
        Schema.optional("shares_words", .boolean),
    ])
    public static let schema = Schema.object([
        Schema.property("name", .string), Schema.property("role", role),
        Schema.property("shares_words", .boolean), Schema.property("added_at", .time),
    ])
    public static let example = TherapyMember(
        name: "Mag. Ben Steiner", role: "supervisor", sharesWords: false,
        addedAt: Instant(milliseconds: 1_796_000_000_000))
}
