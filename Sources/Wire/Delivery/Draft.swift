/// Half-filled answers, to be continued on another device.
public struct Draft<Answers: Encodable & Sendable>: Resource {
    public static var type: String { "draft" }
    public var answers: Answers
    /// When each was last given, or taken back.
    public var answeredAt: Ordered<Instant>
    public var updatedAt: Instant

    public init(answers: Answers, answeredAt: Ordered<Instant>, updatedAt: Instant) {
        self.answers = answers
        self.answeredAt = answeredAt
        self.updatedAt = updatedAt
    }
}

extension Draft: Decodable where Answers: Decodable {}

extension Draft: Documented, Shaped, Narrowed where Answers == Ordered<Answer> {
    public static var narrowed: [String: Schema] { ["answeredAt": .map(.time)] }

    public static var example: Draft {
        Draft(
            answers: Ordered([("q1", .number(3)), ("q2", .text("…"))]),
            answeredAt: Ordered([("q1", Instant(milliseconds: 1_794_999_990_000)), ("q2", .example)]),
            updatedAt: .example)
    }
}

/// The sensors that may be read while answering; both off until switched on.
public struct SensorSettings: Documented, Decodable {
    public static let type = "sensor_settings"
    public var gps: Bool
    public var microphone: Bool

    public init(gps: Bool, microphone: Bool) { (self.gps, self.microphone) = (gps, microphone) }

    public static let example = SensorSettings(gps: false, microphone: true)
}
