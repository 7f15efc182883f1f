/// What became of values that were sent singly: the good ones are filed, whatever is wrong with others (RP-113).
public struct FiledMeasurements: Documented, Decodable, Equatable {
    public static let type = "filed_measurements"

    /// A value that was not filed.
    public struct Refused: Codable, Sendable, Equatable {
        /// As it was sent; null where it was no id.
        public let id: String?
        /// Of the first thing that is wrong, as in a refusal of the whole.
        public let code: String
        /// In the language asked for.
        public let message: String
        /// Its place in what was sent: `items.3.value`.
        public let field: String

        public init(id: String?, code: String, message: String, field: String) {
            self.id = id
            self.code = code
            self.message = message
            self.field = field
        }
    }

    /// How many days changed.
    public let days: Int
    /// In the order sent, and absent when nothing was refused.
    public let refused: [Refused]

    public init(days: Int, refused: [Refused] = []) {
        self.days = days
        self.refused = refused
    }

    private enum CodingKeys: String, CodingKey { case days, refused }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        days = try container.decode(Int.self, forKey: .days)
        refused = try container.decodeIfPresent([Refused].self, forKey: .refused) ?? []
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(days, forKey: .days)
        if !refused.isEmpty { try container.encode(refused, forKey: .refused) }
    }

    public static let schema = Schema.object([
        Schema.property("days", .integer),
        Schema.optional(
            "refused",
            .list(
                .object([
                    Schema.property("id", Schema.id.orNull), Schema.property("code", .string),
                    Schema.property("message", .string), Schema.property("field", .string),
                ]))),
    ])
    public static let example = FiledMeasurements(
        days: 2,
        refused: [
            Refused(
                id: "5a1c9a0e-98a5-4a9f-8d3e-1c2b3a4d5e6f", code: "invalid",
                message: "Möglich sind Werte von 20 bis 260.", field: "items.3.value")
        ])
}
