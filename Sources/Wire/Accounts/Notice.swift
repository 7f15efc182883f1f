/// A notice to a patient about their therapy or a study.
public struct Notice: Documented, Decodable {
    public static let type = "notice"
    /// `cover`, `handover`, `second_therapist`, `supervisor`, `study_message`, `consent_changed`, `wearable_consent`,
    /// `clock_change`.
    public var kind: String
    /// In the requested language.
    public var text: String
    public var from: Instant
    /// When it expires; null for no expiry.
    public var until: Instant?
    /// Null until a device reports it.
    public var seenAt: Instant?

    public init(kind: String, text: String, from: Instant, until: Instant?, seenAt: Instant?) {
        self.kind = kind
        self.text = text
        self.from = from
        self.until = until
        self.seenAt = seenAt
    }

    public static let kinds = [
        "cover", "handover", "second_therapist", "supervisor", "study_message", "consent_changed",
        "wearable_consent", "clock_change",
    ]
    public static let sent = Schema.object([Schema.property("seen_at", .time)])
    public static let narrowed: [String: Schema] = ["kind": .choice(kinds)]
    public static let example = Notice(
        kind: "handover", text: "Ihre Einrichtung hat Ihre Therapie an Mag. Ben Steiner übergeben.",
        from: .example, until: nil, seenAt: nil)
}
