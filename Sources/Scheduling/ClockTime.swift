/// A time of day, as minutes after midnight.
public struct ClockTime: Sendable, Equatable, Comparable {
    public let minutes: Int

    public init(minutes: Int) { self.minutes = minutes }

    /// `HH:MM`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    public var text: String {
        let pad = { (number: Int) in number < 10 ? "0\(number)" : String(number) }
        return "\(pad(minutes / 60)):\(pad(minutes % 60))"
    }

    /// The same time on the next day, as minutes after this day's midnight.
    var nextDay: ClockTime { ClockTime(minutes: minutes + Self.dayMinutes) }

    public static let dayMinutes = 24 * 60

    public static func < (left: ClockTime, right: ClockTime) -> Bool { left.minutes < right.minutes }
}
