/// Who has looked at the caller's data, or taken a copy of it.
public struct FileAccess: Documented, Decodable {
    public static let type = "access"
    public var at: Instant
    /// The name of whoever it was; null for the program itself and for people whose account is gone.
    public var by: String?
    /// What was done: `file.viewed`, `data.copied`, `data.exported`.
    public var action: String
    /// The part of the file, as `timeline`; null where it was all of it.
    public var area: String?

    public init(at: Instant, by: String?, action: String, area: String?) {
        (self.at, self.by, self.action, self.area) = (at, by, action, area)
    }

    public static let schema = Schema.object([
        Schema.property("at", .time), Schema.property("by", .string.orNull),
        Schema.property("action", .string), Schema.property("area", .string.orNull),
    ])
    public static let example = FileAccess(
        at: Instant(milliseconds: 1_795_000_000_000), by: "Dr. Ada Lindner", action: "file.viewed",
        area: "timeline")
}
