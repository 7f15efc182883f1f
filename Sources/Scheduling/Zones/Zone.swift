public import Wire

/// A time zone by its IANA name.
public struct Zone: Sendable {
    public let identifier: String
    private let clocks: ZoneClocks

    /// An unknown name counts as UTC.
    public init(_ identifier: String, in data: ZoneData = .current) {
        clocks = data.clocks(identifier) ?? .system(.utc)
        self.identifier = identifier
    }

    /// Seconds east of Greenwich.
    public func offset(at instant: Instant) -> Int64 { clocks.offset(at: instant.seconds) }

    /// The moment of a local time: a missing one moves to the next that exists, a double one is the first.
    public func instant(_ date: LocalDate, hour: Int, minute: Int) -> Instant {
        let local = Self.seconds(date, hour, minute)
        let day = offsets(around: local)
        // Nearly every day is without a change of the clocks.
        if day.before == day.after,
            offset(at: Instant(milliseconds: (local - day.before) * 1000)) == day.before
        {
            return Instant(milliseconds: (local - day.before) * 1000)
        }
        let candidates = candidates(local)
        return moments(of: local, among: candidates).first
            ?? change(between: candidates[0], and: candidates[1])
    }

    /// The moments of a local time, in order: none for a missing one, two for a double one.
    public func instants(_ date: LocalDate, hour: Int, minute: Int) -> [Instant] {
        let local = Self.seconds(date, hour, minute)
        return moments(of: local, among: candidates(local))
    }

    private static func seconds(_ date: LocalDate, _ hour: Int, _ minute: Int) -> Int64 {
        date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60)
    }

    /// The offsets a day before and a day after.
    private func offsets(around local: Int64) -> (before: Int64, after: Int64) {
        (
            before: offset(at: Instant(milliseconds: (local - 86_400) * 1000)),
            after: offset(at: Instant(milliseconds: (local + 86_400) * 1000))
        )
    }

    private func candidates(_ local: Int64) -> [Instant] {
        let day = offsets(around: local)
        return [local - day.before, local - day.after].sorted().map { Instant(milliseconds: $0 * 1000) }
    }

    private func moments(of local: Int64, among candidates: [Instant]) -> [Instant] {
        let found = candidates.filter { $0.seconds + offset(at: $0) == local }
        return found.first == found.last ? Array(found.prefix(1)) : found
    }

    /// The moment the clocks change.
    private func change(between first: Instant, and last: Instant) -> Instant {
        let old = offset(at: first)
        let seconds = (first.seconds..<last.seconds).partitioningIndex {
            offset(at: Instant(milliseconds: $0 * 1000)) != old
        }
        return Instant(milliseconds: seconds * 1000)
    }
}
