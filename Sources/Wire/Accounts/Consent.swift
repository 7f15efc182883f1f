import JSON

/// A consent of the caller to a study's text.
public struct OwnConsent: Documented, Decodable {
    public static let type = "consent"
    public static let ways = ["browser", "app", "paper"]
    public var version: Int
    /// In the requested language, as it was agreed to.
    public var text: String?
    public var agreedAt: Instant
    /// `browser`, `app`, `paper`; nil for older consents.
    public var way: String?
    /// Whether the agreement named the version, as the one that was shown; nil for older consents.
    public var versionTold: Bool?
    /// What was agreed to one by one under this text: as it stood until the next text was agreed to, under the newest as it stands
    /// now. Nil from portals of before.
    public var items: ConsentItems?

    public init(
        version: Int, text: String?, agreedAt: Instant, way: String?, versionTold: Bool? = nil,
        items: ConsentItems? = nil
    ) {
        self.items = items
        self.version = version
        self.text = text
        self.agreedAt = agreedAt
        self.way = way
        self.versionTold = versionTold
    }

    public static let narrowed: [String: Schema] = ["way": .choice(ways).orNull]
    public static let example = OwnConsent(
        version: 2, text: "Ich nehme freiwillig teil.", agreedAt: .example, way: "app",
        versionTold: true, items: .example)
}

/// What is asked one by one beside a consent text, by its name: `location`, and kinds of measurements (`MeasurementSharing.Measure`).
/// Only what the study asks for or the participant has answered is there.
public struct ConsentItems: Codable, Shaped, Sendable, Equatable {
    public struct Choice: Codable, Sendable, Equatable {
        public var agreed: Bool
        /// Nil for what was never answered, and where it was not kept yet.
        public var at: Instant?

        public init(agreed: Bool, at: Instant?) {
            self.agreed = agreed
            self.at = at
        }
    }

    public var choices: [String: Choice]

    public init(_ choices: [String: Choice]) { self.choices = choices }

    public subscript(_ name: String) -> Choice? { choices[name] }

    public static let names = ["location"] + MeasurementSharing.Measure.ordered.map(\.rawValue)

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: JSONKey.self)
        choices = [:]
        for name in Self.names {
            choices[name] = try values.decodeIfPresent(Choice.self, forKey: JSONKey(name))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: JSONKey.self)
        for name in Self.names {
            if let choice = choices[name] { try values.encode(choice, forKey: JSONKey(name)) }
        }
    }

    public static let schema = Schema.object(
        names.map {
            Schema.optional(
                $0, .object([Schema.property("agreed", .boolean), Schema.property("at", .time.orNull)]))
        })
    public static let example = ConsentItems(["steps": Choice(agreed: true, at: .example)])
}
