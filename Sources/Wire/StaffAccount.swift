/// An account of staff, as administrators see it.
public struct StaffAccount: Documented, Decodable {
    public static let type = "staff_account"
    public var email: String
    public var name: String
    /// `therapist`, `lead`, `admin`; several at once.
    public var roles: [String]
    public var language: String
    /// Where they work, for a clinic of several places; null where there is only one.
    public var site: String?
    /// `invited` until a password was chosen, `active`, `closed`.
    public var state: String
    public var secondFactor: Bool
    public var createdAt: Instant
    public var lastSignedInAt: Instant?

    public init(
        email: String, name: String, roles: [String], language: String, site: String? = nil, state: String,
        secondFactor: Bool, createdAt: Instant, lastSignedInAt: Instant?
    ) {
        self.email = email
        self.name = name
        self.roles = roles
        self.language = language
        self.site = site
        self.state = state
        self.secondFactor = secondFactor
        self.createdAt = createdAt
        self.lastSignedInAt = lastSignedInAt
    }

    enum CodingKeys: String, CodingKey {
        case email, name, roles, language, site, state
        case secondFactor = "second_factor"
        case createdAt = "created_at"
        case lastSignedInAt = "last_signed_in_at"
    }

    private static let role = Schema.choice(["therapist", "lead", "admin"])
    public static let invitation = Schema.object([
        Schema.property("email", .formatted("email")), Schema.property("name", .string),
        Schema.property("roles", .list(role)), Schema.optional("language", .language),
        Schema.optional("site", .string.orNull),
    ])
    public static let change = Schema.object([
        Schema.optional("name", .string), Schema.optional("roles", .list(role)),
        Schema.optional("closed", .boolean), Schema.optional("site", .string.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("email", .formatted("email")), Schema.property("name", .string),
        Schema.property("roles", .list(role)), Schema.property("language", .language),
        Schema.property("site", .string.orNull),
        Schema.property("state", .choice(["invited", "active", "closed"])),
        Schema.property("second_factor", .boolean), Schema.property("created_at", .time),
        Schema.property("last_signed_in_at", .time.orNull),
    ])
    public static let example = StaffAccount(
        email: "ada@example.org", name: "Ada Lindner", roles: ["therapist"], language: "de", site: "Graz",
        state: "active",
        secondFactor: true, createdAt: Instant(milliseconds: 1_795_000_000_000), lastSignedInAt: nil)
}
