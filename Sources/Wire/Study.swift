/// A study as people see it who may take part, and as its leads see it.
public struct Study: Documented, Decodable {
    public static let type = "study"
    public static let accesses = ["open", "password", "request"]
    public var name: String
    public var title: String
    public var description: String?
    public var text: String?
    public var isPrivate: Bool
    public var access: String
    public var startsAt: Instant?
    public var endsAt: Instant?
    public var running: Bool
    public var pictureURL: String?
    public var consentText: String?
    /// Which text that is; each new one counts one up.
    public var consentVersion = 1
    /// Whether the caller takes part.
    public var enrolled: Bool
    /// As what the caller is in it: `pending`, `enrolled`, `declined`, `left`; nil for who never asked.
    public var enrolmentState: String?
    /// What the study knows the caller by.
    public var codename: String?
    /// Whether the caller's therapist offers it to them, and they have not said no.
    public var offered = false
    /// Why the caller cannot take part, before anything is agreed to; nil where nothing stands against it.
    public var closedBecause: String?
    /// Ended, taking in nobody more, full, or the therapy is in a group of another study.
    public static let closings = ["ended", "allocation_closed", "sample_complete", "in_other_group"]
    /// Kinds of the person's own measurements that it asks for; each is given by choice (`MeasurementSharing.Measure`).
    public var measurements: [String] = []
    /// Whether its questionnaires ask for the position, and why in the leads' words; nil where they wrote none.
    public var asksLocation = false
    public var locationReason: String?
    /// What only leads see; nil for everybody else.
    public var lead: Lead?

    public struct Lead: Codable, Sendable {
        public var title: LocalizedText
        public var description: LocalizedText
        public var text: LocalizedText
        public var consentText: LocalizedText
        public var consentVersion: Int
        public var isHidden: Bool
        /// Finds the study also when it is in no list.
        public var code: String
        public var archivedAt: Instant?
        public var pending: Int
        public var participants: Int
        public var left: Int

        public init(
            title: LocalizedText, description: LocalizedText, text: LocalizedText, consentText: LocalizedText,
            consentVersion: Int,
            isHidden: Bool, code: String, archivedAt: Instant?, pending: Int, participants: Int, left: Int
        ) {
            self.title = title
            self.description = description
            self.text = text
            self.consentText = consentText
            self.consentVersion = consentVersion
            self.isHidden = isHidden
            self.code = code
            self.archivedAt = archivedAt
            self.pending = pending
            self.participants = participants
            self.left = left
        }

        enum CodingKeys: String, CodingKey {
            case title, description, text, code, pending, participants, left
            case consentText = "consent_text"
            case consentVersion = "consent_version"
            case isHidden = "is_hidden"
            case archivedAt = "archived_at"
        }

        static let schema = Schema.object([
            Schema.property("title", LocalizedText.schema),
            Schema.property("description", LocalizedText.schema),
            Schema.property("text", LocalizedText.schema),
            Schema.property("consent_text", LocalizedText.schema),
            Schema.property("consent_version", .integer), Schema.property("is_hidden", .boolean),
            Schema.property("code", .string), Schema.property("archived_at", .time.orNull),
            Schema.property("pending", .integer), Schema.property("participants", .integer),
            Schema.property("left", .integer),
        ])
    }

    public init(
        name: String, title: String, description: String?, text: String?, isPrivate: Bool, access: String,
        startsAt: Instant?, endsAt: Instant?, running: Bool, consentText: String?, enrolled: Bool, lead: Lead?
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.text = text
        self.isPrivate = isPrivate
        self.access = access
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.running = running
        self.consentText = consentText
        self.enrolled = enrolled
        self.lead = lead
    }

    enum CodingKeys: String, CodingKey {
        case name, title, description, text, access, running, enrolled, codename, offered, measurements, lead
        case enrolmentState = "enrolment_state"
        case isPrivate = "is_private"
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case pictureURL = "picture_url"
        case closedBecause = "closed_because"
        case asksLocation = "asks_location"
        case locationReason = "location_reason"
        case consentText = "consent_text"
        case consentVersion = "consent_version"
    }

    public static let schema = Schema.object([
        Schema.property("name", .string), Schema.property("title", .string),
        Schema.property("description", .string.orNull), Schema.property("text", .string.orNull),
        Schema.property("is_private", .boolean), Schema.property("access", .choice(accesses)),
        Schema.property("starts_at", .time.orNull), Schema.property("ends_at", .time.orNull),
        Schema.property("running", .boolean), Schema.property("picture_url", .string.orNull),
        Schema.property("consent_text", .string.orNull), Schema.property("consent_version", .integer),
        Schema.property("enrolled", .boolean),
        Schema.property("enrolment_state", .choice(Enrolment.states).orNull),
        Schema.property("codename", .string.orNull), Schema.property("offered", .boolean),
        Schema.property("closed_because", .choice(closings).orNull),
        Schema.property("measurements", .list(.string)), Schema.property("asks_location", .boolean),
        Schema.property("location_reason", .string.orNull),
        Schema.property("lead", Lead.schema.orNull),
    ])
    public static let example = Study(
        name: "alltag-26", title: "Alltag und Belastung", description: "Vier Wochen mit kurzen Abfragen.",
        text: nil, isPrivate: false, access: "open", startsAt: nil, endsAt: nil, running: true,
        consentText: "Ich nehme freiwillig teil.", enrolled: false, lead: nil)

    /// All that a lead may send; `name` and `title` are needed for a new one.
    public static let sent = Schema.object([
        Schema.optional("name", .string), Schema.optional("title", LocalizedText.schema),
        Schema.optional("description", LocalizedText.schema.orNull),
        Schema.optional("text", LocalizedText.schema.orNull),
        Schema.optional("consent_text", LocalizedText.schema.orNull),
        Schema.optional("access", .choice(accesses)),
        Schema.optional("password", .string.orNull), Schema.optional("is_private", .boolean.orNull),
        Schema.optional("is_hidden", .boolean.orNull), Schema.optional("starts_at", .time.orNull),
        Schema.optional("ends_at", .time.orNull), Schema.optional("running", .boolean.orNull),
        Schema.optional("archived", .boolean.orNull), Schema.optional("picture", .string.orNull),
        Schema.optional("measurements", .list(.string)),
        Schema.optional("location_reason", LocalizedText.schema.orNull),
    ])
}

/// Somebody who takes part, as leads see them: by codename alone.
public struct Participant: Documented, Decodable {
    public static let type = "participant"
    public var codename: String
    public var state: String
    public var arm: String?
    public var askedAt: Instant
    public var enrolledAt: Instant?
    public var leftAt: Instant?
    public var lastActivityAt: Instant?
    public var consentVersion: Int
    /// The day on which somebody signed who takes part on paper alone; nil for everybody with an account.
    public var consentedOn: LocalDate?
    /// Prompts so far, and how many of them were answered.
    public var prompted: Int
    public var answered: Int

    public init(
        codename: String, state: String, arm: String?, askedAt: Instant, enrolledAt: Instant?,
        leftAt: Instant?, lastActivityAt: Instant?, consentVersion: Int, prompted: Int, answered: Int
    ) {
        self.codename = codename
        self.state = state
        self.arm = arm
        self.askedAt = askedAt
        self.enrolledAt = enrolledAt
        self.leftAt = leftAt
        self.lastActivityAt = lastActivityAt
        self.consentVersion = consentVersion
        self.prompted = prompted
        self.answered = answered
    }

    enum CodingKeys: String, CodingKey {
        case codename, state, arm, prompted, answered
        case askedAt = "asked_at"
        case enrolledAt = "enrolled_at"
        case leftAt = "left_at"
        case lastActivityAt = "last_activity_at"
        case consentVersion = "consent_version"
        case consentedOn = "consented_on"
    }

    /// Somebody who takes part on paper, entered by a lead.
    public static let sent = Schema.object([
        Schema.optional("codename", .string.orNull), Schema.property("consented_on", .date),
        Schema.property("consent_version", .integer), Schema.optional("site", .string.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("codename", .string), Schema.property("state", .choice(Enrolment.states)),
        Schema.property("arm", .string.orNull), Schema.property("asked_at", .time),
        Schema.property("enrolled_at", .time.orNull), Schema.property("left_at", .time.orNull),
        Schema.property("last_activity_at", .time.orNull), Schema.property("consent_version", .integer),
        Schema.property("consented_on", Schema.date.orNull), Schema.property("prompted", .integer),
        Schema.property("answered", .integer),
    ])
    public static let example = Participant(
        codename: "S482193", state: "enrolled", arm: nil, askedAt: Instant(milliseconds: 1_795_000_000_000),
        enrolledAt: Instant(milliseconds: 1_795_000_000_000), leftAt: nil, lastActivityAt: nil,
        consentVersion: 1, prompted: 12, answered: 9)
}
