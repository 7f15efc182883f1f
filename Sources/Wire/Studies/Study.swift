/// A study for possible participants, and for its leads.
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
    /// The version of the consent text; each new one counts up by one.
    public var consentVersion = 1
    /// Whether the caller takes part.
    public var enrolled: Bool
    /// The caller's state in it: `pending`, `enrolled`, `declined`, `left`; nil without a request.
    public var enrolmentState: String?
    /// The caller's codename in the study.
    public var codename: String?
    /// Whether the caller's therapist offers it, and the caller has not declined.
    public var offered = false
    /// Why the caller cannot take part, known before agreeing; nil without an obstacle.
    public var closedBecause: String?
    /// Ended, closed to new participants, full, or the therapy is in a group of another study.
    public static let closings = ["ended", "allocation_closed", "sample_complete", "in_other_group"]
    /// Kinds of own measurements that it asks for; each is given by choice (`MeasurementSharing.Measure`).
    public var measurements: [String] = []
    /// Whether its questionnaires ask for the position, and why in the leads' words; nil without any.
    public var asksLocation = false
    public var locationReason: String?
    /// In their order; without any the days of what it asks are counted from enrolling.
    public var timePoints: [StudyTimePoint]? = []
    /// Whether its leads learn dates of the participants' therapies, which its consent text says.
    public var tellsSessionDates: Bool? = false
    /// Data for leads; nil for all others.
    public var lead: Lead?

    public struct Lead: Codable, Sendable {
        public var title: LocalizedText
        public var description: LocalizedText
        public var text: LocalizedText
        public var consentText: LocalizedText
        public var consentVersion: Int
        public var isHidden: Bool
        /// Finds the study even when it is hidden.
        public var code: String
        public var archivedAt: Instant?
        public var pending: Int
        public var participants: Int
        public var left: Int

        public init(
            title: LocalizedText, description: LocalizedText, text: LocalizedText, consentText: LocalizedText,
            consentVersion: Int, isHidden: Bool, code: String, archivedAt: Instant?, pending: Int,
            participants: Int, left: Int
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

    public static let narrowed: [String: Schema] = [
        "access": .choice(accesses), "enrolmentState": .choice(Enrolment.states).orNull,
        "closedBecause": .choice(closings).orNull,
    ]
    public static let example = Study(
        name: "alltag-26", title: "Alltag und Belastung", description: "Vier Wochen mit kurzen Abfragen.",
        text: nil, isPrivate: false, access: "open", startsAt: nil, endsAt: nil, running: true,
        consentText: "Ich nehme freiwillig teil.", enrolled: false, lead: nil)

    /// The members that a lead may send; `name` and `title` are required for a new one.
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
        Schema.optional("time_points", Schema.list(StudyTimePoint.sent).orNull),
        Schema.optional("tells_session_dates", .boolean.orNull),
    ])
}
