public import Wire

extension Zone {
    /// The offset at a moment, as RFC 3339 writes it: `+02:00`.
    public func offsetText(at instant: Instant) -> String {
        let seconds = offset(at: instant)
        return (seconds < 0 ? "-" : "+") + ClockTime(minutes: Int(abs(seconds)) / 60).text
    }
}

/// A moment in the local time of a zone.
public struct LocalTime: Sendable {
    public let date: LocalDate
    public let hour: Int
    public let minute: Int
    public let second: Int

    public init(_ instant: Instant, _ zone: Zone) {
        let local = instant.seconds + zone.offset(at: instant)
        let number = dayNumber(ofSecond: local)
        let rest = Int(local - number * 86_400)
        date = LocalDate(daysSince1970: number)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }
}
