public import Wire

/// By which version moments of a participant's days are drawn. A version counts from the second local day after its moment
/// on: a phone may already have the prompts of today and tomorrow, and what was drawn stays drawn.
public struct Drawing: Sendable {
    /// The first local day of the latest version; nil for all.
    private let first: LocalDate?

    /// The latest version on every day.
    public static let latest = Drawing(first: nil)

    private init(first: LocalDate?) { self.first = first }

    /// - Parameter since: the moment from which the latest version counts; nil for always.
    public init(latestSince since: Instant?, _ zones: ParticipantZones) {
        first = since.map { zones.day(of: $0).adding(days: 2) }
    }

    /// Whether a day is drawn by the latest version.
    public func isLatest(on day: LocalDate) -> Bool { first.map { $0 <= day } ?? true }
}

/// Draws the prompts of one local day.
struct DayDrawing {
    let day: LocalDate
    let zone: Zone
    /// Whether random moments spread over the real minutes of their window (RP-122).
    let isReal: Bool

    init(_ day: LocalDate, _ zones: ParticipantZones, _ drawing: Drawing) {
        self.day = day
        zone = zones.zone(on: day)
        isReal = drawing.isLatest(on: day)
    }

    func fixed(_ clock: ClockTime) -> Prompt { Prompt(on: day, clock, in: zone) }

    /// Random moments of a window, the earliest first. Where the clocks change within it, it is drawn by its real minutes;
    /// where those have no room for all, as many as fit are drawn, and one at least.
    func random(
        _ amount: Int, from start: ClockTime, to end: ClockTime, apartFrom fixed: [ClockTime] = [],
        gap: Int = PromptSpread.leastMinutesApart, _ chance: inout SplitMix64
    ) -> [Prompt] {
        let begin = moment(start)
        let length = isReal ? minutes(from: begin, to: moment(end)) : end.minutes - start.minutes
        guard length != end.minutes - start.minutes else {
            return PromptSpread.clocks(amount, from: start, to: end, apartFrom: fixed, gap: gap, &chance).map
            {
                Prompt(on: day, at: moment($0), in: zone, isRandom: true, nightUntil: night(to: end))
            }
        }
        let apart = fixed.map { ClockTime(minutes: minutes(from: begin, to: moment($0))) }
        let most = max(1, PromptSpread.most(in: length, gap: gap))
        return PromptSpread.clocks(
            min(amount, most), from: ClockTime(minutes: 0), to: ClockTime(minutes: length),
            apartFrom: apart, gap: gap, &chance
        ).map {
            Prompt(
                on: day, at: begin.adding(seconds: Int64($0.minutes) * 60), in: zone, isRandom: true,
                nightUntil: night(to: end))
        }
    }

    /// From 24 hours on it is one of the next day.
    func moment(_ clock: ClockTime) -> Instant {
        let later = clock.minutes / ClockTime.dayMinutes
        let minutes = clock.minutes % ClockTime.dayMinutes
        return zone.instant(day.adding(days: later), hour: minutes / 60, minute: minutes % 60)
    }

    /// The end of a window on the next day; nil where it ends on its own.
    private func night(to end: ClockTime) -> Instant? {
        end.minutes >= ClockTime.dayMinutes ? moment(end) : nil
    }

    private func minutes(from begin: Instant, to end: Instant) -> Int {
        Int((end.seconds - begin.seconds) / 60)
    }
}
