/// Half-filled answers, to be continued on another device.
public struct Draft<Answers: Encodable & Sendable>: Resource {
    public static var type: String { "draft" }
    public var answers: Answers
    public var updatedAt: Instant

    public init(answers: Answers, updatedAt: Instant) {
        self.answers = answers
        self.updatedAt = updatedAt
    }

    enum CodingKeys: String, CodingKey {
        case answers
        case updatedAt = "updated_at"
    }
}

extension Draft: Decodable where Answers: Decodable {}

extension Draft: Documented where Answers == Ordered<Answer> {
    public static var schema: Schema {
        .object([
            Schema.property("answers", .map(Answer.schema.orNull)), Schema.property("updated_at", .time),
        ])
    }

    public static var example: Draft {
        Draft(
            answers: Ordered([("q1", .number(3)), ("q2", .text("…"))]),
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
