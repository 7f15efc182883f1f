/// A holiday: whole days without questions.
public struct Pause: Documented, Decodable {
    public static let type = "pause"
    public var startsOn: LocalDate
    /// The last day of it.
    public var endsOn: LocalDate
    /// The substitute meanwhile.
    public var cover: String?
    /// `patient`, or `therapist` for a holiday with all patients.
    public var whose: String

    public init(startsOn: LocalDate, endsOn: LocalDate, cover: String?, whose: String) {
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.cover = cover
        self.whose = whose
    }

    /// What a client may send.
    public static let sent = schema.sent.without("whose")
    public static let narrowed: [String: Schema] = ["whose": .choice(["patient", "therapist"])]
    public static let example = Pause(
        startsOn: LocalDate("2026-12-21") ?? LocalDate(daysSince1970: 0),
        endsOn: LocalDate("2027-01-06") ?? LocalDate(daysSince1970: 0), cover: "Mag. Ben Steiner",
        whose: "therapist")
}
