public import Wire

// Days of phones and watches, sleeps, activities, goals (FB-2, FB-4).
extension Client {
    /// A day as sent: whole, so that late corrections and deletions are the same case.
    public struct SentDay: Encodable, Sendable {
        public var source: MeasurementSource
        public var device: String?
        /// By its IANA name.
        public var zone: String
        /// Until when the phone knows the day; never in the future.
        public var completeUntil: Instant
        /// Seconds since the first instant of the local day, seconds long, value; in order, without overlaps.
        public var series: [[Double]]
        /// The phone's own total for the whole day, without double counting.
        public var total: Double?

        public init(
            source: MeasurementSource, device: String? = nil, zone: String, completeUntil: Instant,
            series: [[Double]], total: Double?
        ) {
            self.source = source
            self.device = device
            self.zone = zone
            self.completeUntil = completeUntil
            self.series = series
            self.total = total
        }
    }

    /// A value sent singly.
    public struct SingleMeasurement: Encodable, Sendable {
        /// Made by the device; the same again replaces the value.
        public var id: String
        public var type: MeasurementType
        public var startsAt: Instant
        public var endsAt: Instant
        public var value: Double
        public var source: MeasurementSource

        public init(
            id: String, type: MeasurementType, startsAt: Instant, endsAt: Instant, value: Double,
            source: MeasurementSource
        ) {
            self.id = id
            self.type = type
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.value = value
            self.source = source
        }
    }

    private static func stretch(_ type: MeasurementType?, _ from: LocalDate, _ to: LocalDate) -> String {
        "?" + (type.map { "type=\($0.rawValue)&" } ?? "") + "from=\(from.text)&to=\(to.text)&limit=200"
    }

    /// Replaces this source's data of a day. A 409 means that the portal knows the day until later.
    @discardableResult
    public func putDay(
        _ type: MeasurementType, _ date: LocalDate, _ day: SentDay
    ) async throws(ClientError) -> MeasurementDay {
        try one(await send("PUT", "/my/measurement-days/\(type.rawValue)/\(date.text)", day))
    }

    /// - Parameter everySource: includes sources that do not count.
    public func days(
        _ type: MeasurementType, from: LocalDate, to: LocalDate, everySource: Bool = false
    ) async throws(ClientError) -> [Item<MeasurementDay>] {
        let query = Self.stretch(type, from, to) + (everySource ? "&source=all" : "")
        return try await list("/my/measurement-days" + query)
    }

    /// A day with its series.
    /// - Parameter source: nil for the one that counts.
    public func day(
        _ type: MeasurementType, _ date: LocalDate, source: MeasurementSource? = nil
    ) async throws(ClientError) -> MeasurementDay {
        let query = source.map { "?source=" + $0.rawValue } ?? ""
        return try await get("/my/measurement-days/\(type.rawValue)/\(date.text)" + query)
    }

    public func deleteDay(
        _ type: MeasurementType, _ date: LocalDate, source: MeasurementSource
    ) async throws(ClientError) {
        try await send(
            "DELETE", "/my/measurement-days/\(type.rawValue)/\(date.text)?source=\(source.rawValue)")
    }

    /// At most 2,000 at once; they are filed into their days.
    /// - Returns: what was refused beside the others, too.
    /// - Throws: `ClientError.refused` where none is good.
    @discardableResult
    public func putMeasurements(_ items: [SingleMeasurement]) async throws(ClientError) -> FiledMeasurements {
        try one(await send("PUT", "/my/measurements", ["items": items]))
    }

    /// - Parameter byMonth: the means of each month's days.
    public func measurements(
        _ type: MeasurementType, from: LocalDate, to: LocalDate, byMonth: Bool = false
    ) async throws(ClientError) -> [Item<Measurement>] {
        try await list(
            "/my/measurements" + Self.stretch(type, from, to) + "&resolution=" + (byMonth ? "month" : "day"))
    }

    public func latestMeasurements() async throws(ClientError) -> [Item<LatestMeasurement>] {
        try await list("/my/measurements/latest")
    }

    public func heartDays(from: LocalDate, to: LocalDate) async throws(ClientError) -> [Item<HeartDay>] {
        try await list("/my/heart-days" + Self.stretch(nil, from, to))
    }

    public func sleeps(from: LocalDate, to: LocalDate) async throws(ClientError) -> [Item<Sleep>] {
        try await list("/my/sleeps" + Self.stretch(nil, from, to))
    }

    public func sleep(_ id: String) async throws(ClientError) -> Tagged<Sleep> {
        try tagged(await send("GET", "/my/sleeps/\(id)"))
    }

    /// - Parameters:
    ///   - id: made by the device.
    ///   - etag: of the state it is based on; nil for a new one.
    /// - Throws: `ClientError.refused`: 412 when it was changed elsewhere, 428 when it exists already, 410 when it
    ///   was deleted, which is final.
    @discardableResult
    public func putSleep(
        _ id: String, _ sleep: Sleep, seen etag: String? = nil
    ) async throws(ClientError) -> Tagged<Sleep> {
        let headers = etag.map { ["If-Match": $0] } ?? [:]
        return try tagged(await send("PUT", "/my/sleeps/\(id)", headers: headers, sleep))
    }

    /// - Parameter etag: of the state it is based on; nil deletes any state.
    public func deleteSleep(_ id: String, seen etag: String? = nil) async throws(ClientError) {
        try await send("DELETE", "/my/sleeps/\(id)", headers: etag.map { ["If-Match": $0] } ?? [:])
    }

    public func activities(from: LocalDate, to: LocalDate) async throws(ClientError) -> [Item<Activity>] {
        try await list("/my/activities" + Self.stretch(nil, from, to))
    }

    public func activity(_ id: String) async throws(ClientError) -> Tagged<Activity> {
        try tagged(await send("GET", "/my/activities/\(id)"))
    }

    /// Like `putSleep`.
    @discardableResult
    public func putActivity(
        _ id: String, _ activity: Activity, seen etag: String? = nil
    ) async throws(ClientError) -> Tagged<Activity> {
        let headers = etag.map { ["If-Match": $0] } ?? [:]
        return try tagged(await send("PUT", "/my/activities/\(id)", headers: headers, activity))
    }

    public func deleteActivity(_ id: String, seen etag: String? = nil) async throws(ClientError) {
        try await send("DELETE", "/my/activities/\(id)", headers: etag.map { ["If-Match": $0] } ?? [:])
    }

    public func goals() async throws(ClientError) -> HealthGoals { try await get("/my/goals") }

    @discardableResult
    public func setGoals(_ goals: HealthGoals) async throws(ClientError) -> HealthGoals {
        try one(await send("PUT", "/my/goals", goals))
    }
}
