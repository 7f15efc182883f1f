import Wire

/// A file kept for its therapist after the patient has deleted their account.
struct KeptFileLine: Documented, Decodable {
    static let type = "kept_file"
    var codename: String
    var deletedAt: Instant
    /// When it is deleted for good.
    var expiresAt: Instant

    static let example = KeptFileLine(
        codename: "C020480", deletedAt: .example, expiresAt: Instant(milliseconds: 1_796_209_600_000))
}
