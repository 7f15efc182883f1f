/// A holiday: whole days on which nothing is asked.
public struct Pause: Documented, Decodable {
    public static let type = "pause"
    public var startsOn: LocalDate
    /// The last day of it.
    public var endsOn: LocalDate
    /// Who stands in meanwhile.
    public var cover: String?
    /// `patient`, or `therapist` for a holiday that goes for all of theirs.
    public var whose: String

    public init(startsOn: LocalDate, endsOn: LocalDate, cover: String?, whose: String) {
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.cover = cover
        self.whose = whose
    }

    enum CodingKeys: String, CodingKey {
        case cover, whose
        case startsOn = "starts_on"
        case endsOn = "ends_on"
    }

    /// What a client may send.
    public static let sent = Schema.object([
        Schema.property("starts_on", .date), Schema.property("ends_on", .date),
        Schema.optional("cover", .string.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("starts_on", .date), Schema.property("ends_on", .date),
        Schema.property("cover", .string.orNull),
        Schema.property("whose", .choice(["patient", "therapist"])),
    ])
    public static let example = Pause(
        startsOn: LocalDate("2026-12-21") ?? LocalDate(daysSince1970: 0),
        endsOn: LocalDate("2027-01-06") ?? LocalDate(daysSince1970: 0), cover: "Mag. Ben Steiner",
        whose: "therapist")
}
