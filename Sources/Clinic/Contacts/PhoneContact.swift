import Wire

/// A call with a patient outside of the app, entered by their therapist.
struct PhoneContact: Documented, Decodable {
    static let type = "phone_contact"
    var at: Instant
    var note: String?

    /// What a client may send.
    static let sent = schema.sent
    static let example = PhoneContact(at: .example, note: "Kommt am Dienstag wieder.")
}
