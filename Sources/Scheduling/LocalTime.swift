public import Wire

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
