/// A visit of the caller's data, or a copy taken of it.
public struct FileAccess: Documented, Decodable {
    public static let type = "access"
    /// When it began; a visit lasts until `until`.
    public var at: Instant
    public var until: Instant
    /// The actor's name; null for the program itself and for erased accounts.
    public var by: String?
    /// The action: `file.viewed`, `data.copied`, `data.exported`, `therapy.handed_over`, `assignment.link_made`,
    /// `assignment.sent_by_link`.
    public var action: String
    /// The first opened part of the file, as `timeline`; null for all of it.
    public var area: String?
    /// All parts opened in the visit, in order.
    public var areas: [String]

    public init(at: Instant, until: Instant, by: String?, action: String, areas: [String]) {
        self.at = at
        self.until = until
        self.by = by
        self.action = action
        self.area = areas.first
        self.areas = areas
    }

    public static let example = FileAccess(
        at: .example, until: Instant(milliseconds: 1_795_000_090_000), by: "Dr. Ada Lindner",
        action: "file.viewed", areas: ["timeline", "briefing"])
}
