/// When a study asks some of its questionnaires: so many local days around a day that is counted from an anchor (ST-1).
public struct StudyTimePoint: Codable, Sendable, Equatable, Narrowed {
    /// What days are counted from: the day of enrolling, one date for all, a date that a lead enters for each participant, or a date of
    /// their therapy: its first day, its first session that was not missed, its last day. With `each_session` the days come again with every
    /// session that was not missed.
    public static let anchors = [
        "enrolment", "date", "lead", "therapy_start", "first_session", "therapy_end", "each_session",
    ]

    /// Its name in files and calls: small letters, digits and hyphens.
    public var key: String
    public var title: LocalizedText
    public var anchor: String
    /// The date of the anchor `date`.
    public var on: LocalDate?
    /// Days after the anchor's, negative before it.
    public var day: Int
    /// So many days before and after that one belong to it, too.
    public var before: Int
    public var after: Int

    public init(
        key: String, title: LocalizedText, anchor: String, on: LocalDate?, day: Int, before: Int, after: Int
    ) {
        self.key = key
        self.title = title
        self.anchor = anchor
        self.on = on
        self.day = day
        self.before = before
        self.after = after
    }

    public static let narrowed: [String: Schema] = ["anchor": .choice(anchors)]

    static let sent = Schema.object([
        Schema.property("key", .string), Schema.property("title", LocalizedText.schema),
        Schema.property("anchor", .choice(anchors)), Schema.optional("on", .date.orNull),
        Schema.optional("day", .integer.orNull), Schema.optional("before", .integer.orNull),
        Schema.optional("after", .integer.orNull),
    ])
}

/// The date from which a time point of one participant is counted, entered by a lead or taken from the therapy.
public struct StudyAnchor: Documented, Decodable {
    public static let type = "study_anchor"
    /// The time point's.
    public var key: String
    /// Nil for none, and where days are counted from each session.
    public var date: LocalDate?
    /// The days of the sessions from which they are counted; nil where they are counted from one date.
    public var dates: [LocalDate]?

    public init(key: String, date: LocalDate?, dates: [LocalDate]? = nil) {
        self.key = key
        self.date = date
        self.dates = dates
    }

    public static let example = StudyAnchor(key: "t1", date: LocalDate(year: 2026, month: 11, day: 30))
    /// The date is needed.
    public static let sent = Schema.object([Schema.property("date", .date)])
}
