import Studies
import Wire

/// A participant for leads: by codename alone.
struct Participant: Documented, Decodable {
    static let type = "participant"
    var codename: String
    var state: String
    var arm: String?
    /// `waiting`: enrolled and not allocated yet; nil where it is not told.
    var allocationState: String?
    /// Since when there are interventions, of a waiting list that crosses over; nil before, and for all others.
    var crossedAt: Instant?
    var askedAt: Instant
    var enrolledAt: Instant?
    var leftAt: Instant?
    var lastActivityAt: Instant?
    var consentVersion: Int
    /// The day on which a participant on paper alone signed the consent; nil for participants with an account.
    var consentedOn: LocalDate?
    /// Prompts that were answered or have ended, and the answered ones of them. To masked leads neither these nor the arm, the last activity
    /// or the crossing over are told: they differ by arm.
    var prompted: Int?
    var answered: Int?
    /// Beside them, unanswered prompts that could not be seen: neither asked nor missed.
    var unseen: Int?
    /// Those of them in a pause of a therapy; nil without the consent to research.
    var paused: Int?

    /// A participant on paper, entered by a lead.
    static let sent = Schema.object([
        Schema.optional("codename", .string.orNull), Schema.property("consented_on", .date),
        Schema.property("consent_version", .integer), Schema.optional("site", .string.orNull),
    ])
    static let narrowed: [String: Schema] = [
        "state": .choice(Enrolment.states), "allocationState": .choice(Enrolment.allocationStates).orNull,
    ]
    static let example = Participant(
        codename: "S482193", state: "enrolled", arm: nil, allocationState: "none", askedAt: .example,
        enrolledAt: .example,
        leftAt: nil, lastActivityAt: nil, consentVersion: 1, prompted: 12, answered: 9,
        unseen: 2, paused: nil)
}

extension Participant {
    /// What masked leads learn of one.
    init(masked enrolment: EnrolmentRecord) {
        self.init(
            codename: enrolment.codename, state: enrolment.state.rawValue,
            allocationState: enrolment.allocation, askedAt: enrolment.askedAt,
            enrolledAt: enrolment.enrolledAt, leftAt: enrolment.leftAt,
            consentVersion: enrolment.consentVersion, consentedOn: enrolment.signedOn)
    }
}
