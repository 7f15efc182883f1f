/// An information page.
public struct Info: Documented, Decodable {
    public static let type = "info"
    public var title: String
    /// Safe HTML: headings from the second level on, no scripts.
    public var html: String
    /// Counts up with every change, in all languages together.
    public var version: Int

    public init(title: String, html: String, version: Int) {
        self.title = title
        self.html = html
        self.version = version
    }

    public static let sent = Schema.object([
        Schema.property("title", LocalizedText.completeSchema),
        Schema.property("text", LocalizedText.completeSchema),
    ])
    public static let example = Info(title: "Datenschutz", html: "<p>Ihre Daten …</p>\n", version: 1)
}
