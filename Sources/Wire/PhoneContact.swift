/// A call with a patient outside of the app, as their therapist entered it.
public struct PhoneContact: Documented, Decodable {
    public static let type = "phone_contact"
    public var at: Instant
    public var note: String?

    public init(at: Instant, note: String?) {
        self.at = at
        self.note = note
    }

    /// What a client may send.
    public static let sent = Schema.object([
        Schema.property("at", .time), Schema.optional("note", .string.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("at", .time), Schema.property("note", .string.orNull),
    ])
    public static let example = PhoneContact(
        at: Instant(milliseconds: 1_795_000_000_000), note: "Kommt am Dienstag wieder.")
}
