import Wire

/// A session of a therapy; held ones are numbered by their start.
struct TherapySession: Documented, Decodable {
    static let type = "session"
    /// From 1; nil for sessions that were not held, and for those before the therapy's begin.
    var number: Int?
    var startsAt: Instant
    var endsAt: Instant
    /// `planned`, `held`, `missed`, `cancelled`.
    var state: String
    var appointmentID: String?

    static let narrowed: [String: Schema] = [
        "state": .choice(["planned", "held", "missed", "cancelled"])
    ]
    static let example = TherapySession(
        number: 1, startsAt: Instant(milliseconds: 1_790_000_000_000),
        endsAt: Instant(milliseconds: 1_790_003_000_000), state: "held", appointmentID: nil)
}

/// A session with its therapist's notes; those of another author are hidden.
struct TherapySessionInFull: Documented, Decodable {
    static let type = "session"

    /// A line of the agenda.
    struct Item: Codable, Sendable, Equatable {
        var text: String
        var done: Bool
    }

    /// From 1; nil for sessions that were not held, and for those before the therapy's begin.
    var number: Int?
    var startsAt: Instant
    var endsAt: Instant
    /// `planned`, `held`, `missed`, `cancelled`.
    var state: String
    var appointmentID: String?
    /// Open items, and those ticked off in this session.
    var agenda: [Item]
    var note: String?

    init(_ session: TherapySession, agenda: [Item], note: String?) {
        number = session.number
        startsAt = session.startsAt
        endsAt = session.endsAt
        state = session.state
        appointmentID = session.appointmentID
        self.agenda = agenda
        self.note = note
    }

    static let narrowed: [String: Schema] = [
        "state": .choice(["planned", "held", "missed", "cancelled"])
    ]
    static let example = TherapySessionInFull(
        .example, agenda: [Item(text: "The talk with the brother", done: false)],
        note: "Slept better, the exam is near.")
}
