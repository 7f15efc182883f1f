import JSON

/// The measurements a patient shows to the therapist (FB-3, SN-2). None by default.
public struct MeasurementSharing: Documented, Decodable, Equatable {
    public static let type = "measurement_sharing"

    /// The kinds of measurements.
    public enum Measure: String, Sendable, CaseIterable {
        case steps, distance, sleep, activities, listening, tinnitus
        case heartRate = "heart_rate"
        case restingHeartRate = "resting_heart_rate"
        case hrvRMSSD = "hrv_rmssd"
        case hrvSDNN = "hrv_sdnn"
        case oxygenSaturation = "oxygen_saturation"
        case activeEnergy = "active_energy"

        /// In the order on the wire.
        public static let ordered: [Measure] = [
            .steps, .heartRate, .restingHeartRate, .hrvRMSSD, .hrvSDNN, .oxygenSaturation, .distance,
            .activeEnergy, .sleep, .activities, .listening, .tinnitus,
        ]
    }

    /// The shared kinds, and from which day on; a nil day stands for everything.
    public var shared: [Measure: LocalDate?]

    public init(shared: [Measure: LocalDate?]) { self.shared = shared }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: JSONKey.self)
        let since = try values.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey("since"))
        shared = [:]
        for measure in Measure.ordered {
            let name = JSONKey(measure.rawValue)
            guard try values.decode(Bool.self, forKey: name) else { continue }
            shared.updateValue(try since.decodeIfPresent(LocalDate.self, forKey: name), forKey: measure)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: JSONKey.self)
        for measure in Measure.ordered {
            try values.encode(shared[measure] != nil, forKey: JSONKey(measure.rawValue))
        }
        let days = Ordered(Measure.ordered.map { (key: $0.rawValue, value: shared[$0] ?? nil) })
        try values.encode(days, forKey: JSONKey("since"))
    }

    /// A type that is not sent keeps its value.
    public static let sent = Schema.object(
        Measure.ordered.map { Schema.optional($0.rawValue, .boolean) } + [
            Schema.optional(
                "since",
                .object(Measure.ordered.map { Schema.optional($0.rawValue, .date.orNull) }))
        ])
    public static let schema = Schema.object(
        Measure.ordered.map { Schema.property($0.rawValue, .boolean) } + [
            Schema.property(
                "since",
                .object(Measure.ordered.map { Schema.property($0.rawValue, .date.orNull) }))
        ])
    public static let example = MeasurementSharing(shared: [.listening: nil])
}
