/// A time of day, as minutes after midnight.
struct ClockTime: Sendable, Equatable, Comparable {
    let minutes: Int

    init(minutes: Int) { self.minutes = minutes }

    /// `HH:MM`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    var text: String {
        let pad = { (number: Int) in number < 10 ? "0\(number)" : String(number) }
        return "\(pad(minutes / 60)):\(pad(minutes % 60))"
    }

    static func < (left: ClockTime, right: ClockTime) -> Bool { left.minutes < right.minutes }
}
