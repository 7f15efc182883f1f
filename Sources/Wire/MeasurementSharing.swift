/// Which of their own measurements somebody shows to their therapist (FB-3, SN-2). By itself none.
public struct MeasurementSharing: Documented, Decodable, Equatable {
    public static let type = "measurement_sharing"

    /// What can be measured.
    public enum Measure: String, Sendable, CaseIterable {
        case steps, distance, sleep, activities, listening, tinnitus
        case heartRate = "heart_rate"
        case restingHeartRate = "resting_heart_rate"
        case hrvRMSSD = "hrv_rmssd"
        case hrvSDNN = "hrv_sdnn"
        case oxygenSaturation = "oxygen_saturation"
        case activeEnergy = "active_energy"

        /// In the order of the wire.
        public static let ordered: [Measure] = [
            .steps, .heartRate, .restingHeartRate, .hrvRMSSD, .hrvSDNN, .oxygenSaturation, .distance,
            .activeEnergy, .sleep, .activities, .listening, .tinnitus,
        ]
    }

    /// What is shared, and from which day on; a nil day: everything there is.
    public var shared: [Measure: LocalDate?]

    public init(shared: [Measure: LocalDate?]) { self.shared = shared }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        let since = try values.nestedContainer(keyedBy: Name.self, forKey: Name("since"))
        shared = [:]
        for measure in Measure.ordered {
            let name = Name(measure.rawValue)
            guard try values.decode(Bool.self, forKey: name) else { continue }
            shared.updateValue(try since.decodeIfPresent(LocalDate.self, forKey: name), forKey: measure)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Name.self)
        for measure in Measure.ordered {
            try values.encode(shared[measure] != nil, forKey: Name(measure.rawValue))
        }
        try values.encode(Since(days: shared), forKey: Name("since"))
    }

    private struct Since: Encodable {
        let days: [Measure: LocalDate?]

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Name.self)
            for measure in Measure.ordered {
                try values.encode(days[measure] ?? nil, forKey: Name(measure.rawValue))
            }
        }
    }

    /// A type that is not sent stays as it is.
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
