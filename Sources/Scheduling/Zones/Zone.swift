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
        let local = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60)
        let before = offset(at: Instant(milliseconds: (local - 86_400) * 1000))
        let after = offset(at: Instant(milliseconds: (local + 86_400) * 1000))
        let candidates = [local - before, local - after].sorted().map { Instant(milliseconds: $0 * 1000) }
        for candidate in candidates where candidate.seconds + offset(at: candidate) == local {
            return candidate
        }
        return change(between: candidates[0], and: candidates[1])
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
