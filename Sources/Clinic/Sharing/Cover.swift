import Wire

/// A cover: a colleague who stands in for some days.
struct Cover: Documented, Decodable {
    static let type = "cover"

    /// Named patients by their ids, or `all` running ones.
    enum Patients: Codable, Sendable, Equatable, Shaped {
        case all
        case named([String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let word = try? container.decode(String.self), word == "all" {
                self = .all
            } else {
                self = .named(try container.decode([String].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .all: try container.encode("all")
            case .named(let ids): try container.encode(ids)
            }
        }

        static let schema = Schema.either([.choice(["all"]), .list(.id)])
        static let example = Patients.all
    }

    /// `given` by the caller, or `received`.
    var direction: String
    /// The names of the patients' therapist and of the cover.
    var therapist: String
    var colleague: String
    var patients: Patients
    /// Days of the clinic's calendar, both included.
    var from: LocalDate
    var until: LocalDate
    /// `read` and acknowledge alerts, or `act`.
    var access: String
    /// Whether the cover sees the names that the therapist gave the patients.
    var sharesAlias: Bool
    /// When it was ended early.
    var endedAt: Instant?

    private static let access = Schema.choice(["read", "act"])

    /// The members of a request.
    static let sent = Schema.object([
        Schema.property("colleague_email", .formatted("email")), Schema.property("patients", Patients.schema),
        Schema.property("from", .date), Schema.property("until", .date), Schema.property("access", access),
        Schema.optional("shares_alias", .boolean),
    ])
    static let narrowed: [String: Schema] = [
        "direction": .choice(["given", "received"]), "access": access,
    ]
    static let example = Cover(
        direction: "given", therapist: "Dr. Ada Lindner", colleague: "Mag. Ben Steiner", patients: .all,
        from: LocalDate(daysSince1970: 20_800), until: LocalDate(daysSince1970: 20_810), access: "read",
        sharesAlias: false, endedAt: nil)
}
