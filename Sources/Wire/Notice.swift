/// Something a patient is told about their therapy or a study.
public struct Notice: Documented, Decodable {
    public static let type = "notice"
    /// `cover`, `handover`, `second_therapist`, `supervisor`, `study_message`, `consent_changed`,
    /// `wearable_consent`.
    public var kind: String
    /// In the language asked for.
    public var text: String
    public var from: Instant
    /// When it ends by itself; null where it does not.
    public var until: Instant?
    /// Null until a device says so.
    public var seenAt: Instant?

    public init(kind: String, text: String, from: Instant, until: Instant?, seenAt: Instant?) {
        self.kind = kind
        self.text = text
        self.from = from
        self.until = until
        self.seenAt = seenAt
    }

    enum CodingKeys: String, CodingKey {
        case kind, text, from, until
        case seenAt = "seen_at"
    }

    public static let kinds = [
        "cover", "handover", "second_therapist", "supervisor", "study_message", "consent_changed",
        "wearable_consent",
    ]
    public static let sent = Schema.object([Schema.property("seen_at", .time)])
    public static let schema = Schema.object([
        Schema.property("kind", .choice(kinds)), Schema.property("text", .string),
        Schema.property("from", .time), Schema.property("until", .time.orNull),
        Schema.property("seen_at", .time.orNull),
    ])
    public static let example = Notice(
        kind: "handover", text: "Ihre Einrichtung hat Ihre Therapie an Mag. Ben Steiner übergeben.",
        from: Instant(milliseconds: 1_795_000_000_000), until: nil, seenAt: nil)
}
