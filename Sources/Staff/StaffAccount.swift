import Wire

/// An account of staff, for administrators.
struct StaffAccount: Documented, Decodable {
    static let type = "staff_account"
    var email: String
    var name: String
    /// `therapist`, `lead`, `admin`; several at once.
    var roles: [String]
    var language: String
    /// The place of work, for a clinic of several places; null where there is only one.
    var site: String?
    /// `invited` until a password was chosen, `active`, `closed`.
    var state: String
    var secondFactor: Bool
    var createdAt: Instant
    var lastSignedInAt: Instant?

    private static let role = Schema.choice(["therapist", "lead", "admin"])
    static let invitation = Schema.object([
        Schema.property("email", .formatted("email")), Schema.property("name", .string),
        Schema.property("roles", .list(role)), Schema.optional("language", .language),
        Schema.optional("site", .string.orNull),
    ])
    static let change = Schema.object([
        Schema.optional("name", .string), Schema.optional("email", .formatted("email")),
        Schema.optional("roles", .list(role)),
        Schema.optional("closed", .boolean), Schema.optional("site", .string.orNull),
    ])
    static let narrowed: [String: Schema] = [
        "roles": .list(role), "state": .choice(["invited", "active", "closed"]),
    ]
    static let example = StaffAccount(
        email: "ada@example.org", name: "Ada Lindner", roles: ["therapist"], language: "de", site: "Graz",
        state: "active", secondFactor: true, createdAt: .example, lastSignedInAt: nil)
}
