/// A file that waits to be taken, after its patient has deleted their account.
public struct KeptFileLine: Documented, Decodable {
    public static let type = "kept_file"
    public var codename: String
    public var deletedAt: Instant
    /// When it goes for good.
    public var expiresAt: Instant

    public init(codename: String, deletedAt: Instant, expiresAt: Instant) {
        self.codename = codename
        self.deletedAt = deletedAt
        self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
        case codename
        case deletedAt = "deleted_at"
        case expiresAt = "expires_at"
    }

    public static let schema = Schema.object([
        Schema.property("codename", .string), Schema.property("deleted_at", .time),
        Schema.property("expires_at", .time),
    ])
    public static let example = KeptFileLine(
        codename: "C020480", deletedAt: Instant(milliseconds: 1_795_000_000_000),
        expiresAt: Instant(milliseconds: 1_796_209_600_000))
}

/// What deleting the own account does, told before it is done.
public struct AccountDeletion: Documented, Decodable {
    public static let type = "account_deletion"
    /// For so many days therapists may take the file of their therapy; 0 when there is none.
    public var fileKeptDays: Int
    public var message: String

    public init(fileKeptDays: Int, message: String) {
        self.fileKeptDays = fileKeptDays
        self.message = message
    }

    enum CodingKeys: String, CodingKey {
        case message
        case fileKeptDays = "file_kept_days"
    }

    public static let schema = Schema.object([
        Schema.property("file_kept_days", .integer), Schema.property("message", .string),
    ])
    public static let example = AccountDeletion(fileKeptDays: 14, message: "Your account goes at once.")
}
