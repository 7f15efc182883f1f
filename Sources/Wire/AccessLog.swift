/// Who has looked at the caller's data, or taken a copy of it.
public struct FileAccess: Documented, Decodable {
    public static let type = "access"
    /// When it began; a visit lasts until `until`.
    public var at: Instant
    public var until: Instant
    /// The name of whoever it was; null for the program itself and for people whose account is gone.
    public var by: String?
    /// What was done: `file.viewed`, `data.copied`, `data.exported`, `therapy.handed_over`, `assignment.link_made`,
    /// `assignment.sent_by_link`.
    public var action: String
    /// The part of the file that was looked at first, as `timeline`; null where it was all of it.
    public var area: String?
    /// All parts of it that were looked at in the visit, in order.
    public var areas: [String]

    public init(at: Instant, until: Instant, by: String?, action: String, areas: [String]) {
        self.at = at
        self.until = until
        self.by = by
        self.action = action
        self.area = areas.first
        self.areas = areas
    }

    public static let schema = Schema.object([
        Schema.property("at", .time), Schema.property("until", .time), Schema.property("by", .string.orNull),
        Schema.property("action", .string), Schema.property("area", .string.orNull),
        Schema.property("areas", .list(.string)),
    ])
    public static let example = FileAccess(
        at: Instant(milliseconds: 1_795_000_000_000), until: Instant(milliseconds: 1_795_000_090_000),
        by: "Dr. Ada Lindner", action: "file.viewed", areas: ["timeline", "briefing"])
}

/// A line of the audit log, without the old and new values.
public struct AuditEntry: Documented, Decodable {
    public static let type = "audit_entry"
    /// Counts up from the first line on.
    public var number: Int
    public var at: Instant
    /// Null for the program itself and for people without an account.
    public var actorID: String?
    /// The name of a member of staff; null for everybody else.
    public var actor: String?
    public var action: String
    /// The account or therapy it is about.
    public var subjectID: String?
    public var object: String?

    public init(
        number: Int, at: Instant, actorID: String?, actor: String?, action: String, subjectID: String?,
        object: String?
    ) {
        self.number = number
        self.at = at
        self.actorID = actorID
        self.actor = actor
        self.action = action
        self.subjectID = subjectID
        self.object = object
    }

    enum CodingKeys: String, CodingKey {
        case number, at, actor, action, object
        case actorID = "actor_id"
        case subjectID = "subject_id"
    }

    public static let schema = Schema.object([
        Schema.property("number", .integer), Schema.property("at", .time),
        Schema.property("actor_id", .id.orNull), Schema.property("actor", .string.orNull),
        Schema.property("action", .string), Schema.property("subject_id", .id.orNull),
        Schema.property("object", .string.orNull),
    ])
    public static let example = AuditEntry(
        number: 1, at: Instant(milliseconds: 1_795_000_000_000), actorID: nil, actor: nil,
        action: "account.sign_in_failed", subjectID: nil, object: nil)
}
