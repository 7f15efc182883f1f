/// The questionnaire whose key a form of others has, too: under `data` when it is not said which of both is meant.
public struct AnotherForm: Codable, Sendable, Equatable {
    public var key: String
    /// Its newest version.
    public var version: Int
    public var title: String
    /// The canonical address that it came with; nil where none is known.
    public var url: String?

    public init(key: String, version: Int, title: String, url: String?) {
        self.key = key
        self.version = version
        self.title = title
        self.url = url
    }

    public static let example = AnotherForm(
        key: "sleep", version: 2, title: "Schlaf", url: "https://forms.example.org/sleep")
}
