/// The daily measurements of phones and watches (FB-2, FB-4).
public enum MeasurementType: String, Codable, Sendable, CaseIterable {
    /// Counted, a day's sum.
    case steps
    /// Beats a minute.
    case heartRate = "heart_rate"
    /// Beats a minute, one value a day.
    case restingHeartRate = "resting_heart_rate"
    /// Root mean square of successive differences, milliseconds.
    case hrvRMSSD = "hrv_rmssd"
    /// Standard deviation of the intervals, milliseconds.
    case hrvSDNN = "hrv_sdnn"
    /// Per cent.
    case oxygenSaturation = "oxygen_saturation"
    /// Metres.
    case distance
    /// Kilocalories, without those of resting.
    case activeEnergy = "active_energy"

    /// Whether the values of a day add up to its total; for the others the mean counts.
    public var isSum: Bool {
        switch self {
        case .steps, .distance, .activeEnergy: true
        default: false
        }
    }

    /// The possible range of a value, and of a day's total.
    public var range: ClosedRange<Double> {
        switch self {
        case .steps: 0...120_000
        case .heartRate, .restingHeartRate: 20...260
        case .hrvRMSSD, .hrvSDNN: 0...1_000
        case .oxygenSaturation: 50...100
        case .distance: 0...500_000
        case .activeEnergy: 0...20_000
        }
    }

    public static let names = allCases.map(\.rawValue)
}

/// The source of a measurement.
public enum MeasurementSource: String, Codable, Sendable, CaseIterable {
    case healthConnect = "health_connect"
    case healthKit = "healthkit"
    case manual, gadgetbridge
    case googleHealth = "google_health"
    case oura, polar, withings

    /// The phone's own merged sum over everything that counts for it.
    public var isPhone: Bool { self == .healthConnect || self == .healthKit }

    public static let names = allCases.map(\.rawValue)
}

/// One type of measurement on one local day from one source: whole, so that sending it again replaces it.
public struct MeasurementDay: Documented, Decodable, Equatable {
    public static let type = "measurement_day"
    /// Of one day.
    public static let sampleLimit = 20_000

    public var type: MeasurementType
    public var date: LocalDate
    public var source: MeasurementSource
    /// The zone that defines the day, by its IANA name.
    public var zone: String
    /// What the device called its zone, where no zone has that name: the account's counts then.
    public var zoneWord: String?
    /// Samples of the series.
    public var n: Int
    public var sum: Double
    /// Null without samples, as are the two after it.
    public var mean: Double?
    public var min: Double?
    public var max: Double?
    /// The phone's own total for the whole day, without double counting; null without one. Figures use it.
    public var total: Double?
    /// Until when the day is known.
    public var completeUntil: Instant
    public var receivedAt: Instant
    /// Counts the times it was replaced.
    public var version: Int
    /// Seconds since the first instant of the day, seconds long, value; null in lists.
    public var series: [[Double]]?

    public init(
        type: MeasurementType, date: LocalDate, source: MeasurementSource, zone: String,
        zoneWord: String? = nil, n: Int, sum: Double,
        mean: Double?, min: Double?, max: Double?, total: Double?, completeUntil: Instant,
        receivedAt: Instant, version: Int, series: [[Double]]? = nil
    ) {
        self.type = type
        self.date = date
        self.source = source
        self.zone = zone
        self.zoneWord = zoneWord
        self.n = n
        self.sum = sum
        self.mean = mean
        self.min = min
        self.max = max
        self.total = total
        self.completeUntil = completeUntil
        self.receivedAt = receivedAt
        self.version = version
        self.series = series
    }

    /// The day's figure: the total if there is one, else the sum or the mean of the samples; nil without either.
    public var value: Double? { total ?? (n == 0 ? nil : type.isSum ? sum : mean) }

    public static let sent = Schema.object([
        Schema.property("source", .choice(MeasurementSource.names)),
        Schema.optional("device", .string.orNull), Schema.property("zone", .string),
        Schema.property("complete_until", .time), Schema.property("series", .list(.list(.number))),
        Schema.optional("total", .number.orNull),
    ])
    public static let example = MeasurementDay(
        type: .steps, date: LocalDate(daysSince1970: 20_777), source: .healthConnect, zone: "Europe/Berlin",
        n: 2, sum: 53, mean: 26.5, min: 12, max: 41, total: 8_123,
        completeUntil: Instant(milliseconds: 1_795_215_600_000),
        receivedAt: Instant(milliseconds: 1_795_215_700_000), version: 1)
}

/// A figure over a day or a month: daily totals and their mean.
public struct Measurement: Documented, Decodable {
    public static let type = "measurement"
    public static let resolutions = ["day", "month"]

    public var type: MeasurementType
    /// The day, or the first of the month.
    public var date: LocalDate
    /// For a month the mean of its days.
    public var value: Double
    /// The number of days behind it.
    public var days: Int
    /// Null for a month with several sources.
    public var source: MeasurementSource?

    public init(
        type: MeasurementType, date: LocalDate, value: Double, days: Int, source: MeasurementSource?
    ) {
        self.type = type
        self.date = date
        self.value = value
        self.days = days
        self.source = source
    }

    public static let example = Measurement(
        type: .steps, date: LocalDate(daysSince1970: 20_777), value: 8_123, days: 1, source: .healthConnect)
}

/// The newest figure of a type.
public struct LatestMeasurement: Documented, Decodable {
    public static let type = "latest_measurement"

    public var type: MeasurementType
    public var value: Double
    public var source: MeasurementSource
    /// Until when it is known, and when it came in.
    public var measuredAt: Instant
    public var receivedAt: Instant

    public init(
        type: MeasurementType, value: Double, source: MeasurementSource, measuredAt: Instant,
        receivedAt: Instant
    ) {
        self.type = type
        self.value = value
        self.source = source
        self.measuredAt = measuredAt
        self.receivedAt = receivedAt
    }

    public static let example = LatestMeasurement(
        type: .heartRate, value: 64, source: .healthConnect,
        measuredAt: Instant(milliseconds: 1_795_215_600_000),
        receivedAt: Instant(milliseconds: 1_795_215_700_000))
}
