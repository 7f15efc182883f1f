import Wire

/// A line of the audit log, without the old and new values.
struct AuditEntry: Documented, Decodable {
    static let type = "audit_entry"
    /// Counts up from the first line on.
    var number: Int
    var at: Instant
    /// Null for the program itself and for people without an account.
    var actorID: String?
    /// The name of a member of staff; null for all others.
    var actor: String?
    var action: String
    /// The account or therapy it is about.
    var subjectID: String?
    var object: String?

    static let example = AuditEntry(
        number: 1, at: .example, actorID: nil, actor: nil, action: "account.sign_in_failed", subjectID: nil,
        object: nil)
}
