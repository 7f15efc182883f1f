/// Half-filled answers, to be continued on another device.
public struct Draft<Answers: Encodable & Sendable>: Resource {
    public static var type: String { "draft" }
    public var answers: Answers
    /// When each was answered last, or taken back.
    public var answeredAt: Ordered<Instant>
    public var updatedAt: Instant

    public init(answers: Answers, answeredAt: Ordered<Instant>, updatedAt: Instant) {
        self.answers = answers
        self.answeredAt = answeredAt
        self.updatedAt = updatedAt
    }

    enum CodingKeys: String, CodingKey {
        case answers
        case answeredAt = "answered_at"
        case updatedAt = "updated_at"
    }
}

extension Draft: Decodable where Answers: Decodable {}

extension Draft: Documented where Answers == Ordered<Answer> {
    public static var schema: Schema {
        .object([
            Schema.property("answers", .map(Answer.schema.orNull)),
            Schema.property("answered_at", .map(.time)), Schema.property("updated_at", .time),
        ])
    }

    public static var example: Draft {
        Draft(
            answers: Ordered([("q1", .number(3)), ("q2", .text("…"))]),
            answeredAt: Ordered([
                ("q1", Instant(milliseconds: 1_794_999_990_000)),
                ("q2", Instant(milliseconds: 1_795_000_000_000)),
            ]),
            updatedAt: Instant(milliseconds: 1_795_000_000_000))
    }
}

/// Which sensors may be read while answering; both off unless switched on.
public struct SensorSettings: Documented, Decodable {
    public static let type = "sensor_settings"
    public var gps: Bool
    public var microphone: Bool

    public init(gps: Bool, microphone: Bool) { (self.gps, self.microphone) = (gps, microphone) }

    public static let schema = Schema.object([
        Schema.property("gps", .boolean), Schema.property("microphone", .boolean),
    ])
    public static let example = SensorSettings(gps: false, microphone: true)
}
