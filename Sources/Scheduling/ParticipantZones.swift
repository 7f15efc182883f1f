public import Wire

/// The zones of a participant's prompts, day by day. A change counts from the second local day after it on: a phone
/// may already have the prompts of today and tomorrow, so they stay.
public struct ParticipantZones: Sendable {
    private let first: Zone
    /// The local days from which other zones count, the earliest first.
    private var later: [(from: LocalDate, zone: Zone)] = []

    /// - Parameter changes: the times of changes with the new zones, the earliest first.
    public init(_ first: Zone, changes: [(at: Instant, zone: Zone)] = []) {
        self.first = first
        for change in changes {
            let from = day(of: change.at).adding(days: 2)
            later.removeAll { $0.from >= from }
            later.append((from, change.zone))
        }
    }

    public func zone(on day: LocalDate) -> Zone { later.last { $0.from <= day }?.zone ?? first }

    /// Midnight at the begin of a local day.
    public func begin(of day: LocalDate) -> Instant { zone(on: day).instant(day, hour: 0, minute: 0) }

    /// The local day of a moment: the last one that has begun.
    public func day(of moment: Instant) -> LocalDate {
        let guess = LocalTime(moment, first).date
        if later.isEmpty { return guess }
        return (-2...2).map { guess.adding(days: $0) }.last { begin(of: $0) <= moment } ?? guess
    }
}

/// A moment at which a participant is prompted.
public struct Prompt: Sendable {
    public let at: Instant
    /// Whether its minute is random, and must not be disclosed ahead.
    public let isRandom: Bool
    public let day: LocalDate
    fileprivate let zone: Zone
    /// The end of its window on the day after `day`; nil for a window, or a time, of one day.
    private let nightUntil: Instant?
    /// Minutes for which it can be answered; nil until the end of its day.
    private var validMinutes: Int?
    /// Minutes after its end within which what was completed in time is taken by itself; nil for no end.
    private var graceMinutes: Int?
    /// Minutes after it at which it is called again.
    private var repeatMinutes: [Int] = []
    /// The end of the participant's own window: they are not called again after it.
    private var quietFrom: Instant?
    /// The last second of a window of whole days; nil for a prompt of one day.
    private var windowEnd: Instant?
    /// The id of the session that it asks about; nil where its moment alone says which prompt it is.
    public private(set) var session: String?

    public init(on day: LocalDate, _ clock: ClockTime, in zone: Zone, isRandom: Bool = false) {
        let at = zone.instant(day, hour: clock.minutes / 60, minute: clock.minutes % 60)
        self.init(on: day, at: at, in: zone, isRandom: isRandom)
    }

    /// One that is open for days: a window of a time point (ST-1).
    public init(
        openFrom at: Instant, until end: Instant, session: String? = nil, _ zones: ParticipantZones
    ) {
        let day = zones.day(of: at)
        self.init(on: day, at: at, in: zones.zone(on: day), isRandom: false)
        windowEnd = end
        self.session = session
    }

    init(on day: LocalDate, at: Instant, in zone: Zone, isRandom: Bool, nightUntil: Instant? = nil) {
        self.nightUntil = nightUntil
        self.day = day
        self.at = at
        self.zone = zone
        self.isRandom = isRandom
    }

    /// When it opens, as far as that may be disclosed.
    public var opens: PromptTime { isRandom ? .random(at) : .set(at) }

    /// Until when it is said to be open: its day's end, or the end of what asks.
    public func due(beforeEnd end: Instant?) -> Instant { min(dueAt, end ?? .distantFuture) }

    /// The same, open for the minutes of its schedule and not longer than its day, with the schedule's grace (ST-2).
    func limited(by schedule: Schedule) -> Prompt {
        var prompt = self
        prompt.validMinutes = schedule.validMinutes
        prompt.graceMinutes = schedule.graceMinutes
        prompt.repeatMinutes = schedule.repeatMinutes
        return prompt
    }

    /// The same, not called again from the end of its own window on.
    func quiet(from end: Instant) -> Prompt {
        var prompt = self
        prompt.quietFrom = end
        return prompt
    }

    /// When it is called again while it is unanswered: within its window, and within an own one of the participant (ST-2).
    public func calls(beforeEnd end: Instant?) -> [Instant] {
        if repeatMinutes.isEmpty { return [] }
        let last = due(beforeEnd: end)
        return repeatMinutes.map { at.adding(seconds: Int64($0) * 60) }.filter {
            $0 < last && $0 < quietFrom ?? .distantFuture
        }
    }

    /// Until when what was completed before an end is taken by itself; nil whenever it comes.
    public func arrives(after end: Instant) -> Instant? {
        graceMinutes.map { end.adding(seconds: Int64($0) * 60) }
    }

    /// The last second of its local day; in a window over midnight two hours after its end. Sooner where its schedule says so.
    public var dueAt: Instant {
        if let windowEnd { return windowEnd }
        let night = nightUntil?.adding(seconds: Self.morningSeconds)
        let end = (night ?? zone.instant(day.adding(days: 1), hour: 0, minute: 0)).adding(seconds: -1)
        return validMinutes.map { min(end, at.adding(seconds: Int64($0) * 60)) } ?? end
    }

    /// The same as far as it may be disclosed: a random moment is not told by its end.
    public func closes(beforeEnd end: Instant?) -> PromptTime {
        let due = due(beforeEnd: end)
        return validMinutes == nil ? .set(due) : PromptTime(at: due, kind: opens.kind)
    }

    private static let morningSeconds: Int64 = 2 * 3600

    /// When devices tell of it: a window of days not at midnight, but at ten in the morning of its first day.
    public var announcedAt: Instant {
        windowEnd == nil ? at : max(at, zone.instant(day, hour: 10, minute: 0))
    }

    /// Whether it belongs to a window that ends on the next day.
    public var isOfNight: Bool { nightUntil != nil }
}
