import Wire

/// A second therapist or supervisor who may open a file.
struct TherapyMember: Documented, Decodable {
    static let type = "member"
    var name: String
    /// `therapist` acts, `supervisor` reads.
    var role: String
    /// Whether the first therapist shares alias, note and agenda.
    var sharesWords: Bool
    var addedAt: Instant

    private static let role = Schema.choice(["therapist", "supervisor"])

    /// The members of a request.
    static let sent = Schema.object([
        Schema.property("email", .formatted("email")), Schema.property("role", role),
        Schema.optional("shares_words", .boolean),
    ])
    static let narrowed: [String: Schema] = ["role": role]
    static let example = TherapyMember(
        name: "Mag. Ben Steiner", role: "supervisor", sharesWords: false,
        addedAt: Instant(milliseconds: 1_796_000_000_000))
}
