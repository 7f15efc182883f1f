import Foundation
public import Wire

/// The zone that the phone is in.
public struct PhoneZone: Sendable {
    public let identifier: String
    private let zone: TimeZone

    /// An unknown name counts as UTC.
    public init(_ identifier: String) {
        self.identifier = identifier
        zone = TimeZone(identifier: identifier) ?? .gmt
    }

    private func offset(at instant: Instant) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds))))
    }

    public func date(at instant: Instant) -> LocalDate {
        let local = instant.seconds + offset(at: instant)
        return LocalDate(daysSince1970: (local >= 0 ? local : local - 86_399) / 86_400)
    }

    /// The moment of a minute of a day, counted from midnight. Where the clocks are put forward the gap is passed over.
    public func instant(_ date: LocalDate, minute: Int) -> Instant {
        let local = date.daysSince1970 * 86_400 + Int64(minute) * 60
        let guess = Instant(milliseconds: (local - offset(at: Instant(milliseconds: local * 1000))) * 1000)
        return Instant(milliseconds: (local - offset(at: guess)) * 1000)
    }
}

/// Dailies for days ahead, as phones plan them without the portal (chapter 5.2.2 of the iOS source): each day one random
/// start in each of three periods, open for 30 minutes; a start inside of the window before moves to its end.
public enum DailyPlanner {
    public struct Window: Sendable, Equatable {
        public let opens: Instant
        public let closes: Instant
    }

    /// First minute of each period, counted from midnight; each is four hours long.
    static let periods = [8 * 60, 12 * 60, 16 * 60]
    static let periodMinutes = 240
    static let openSeconds: Int64 = 1800

    /// The windows of the days after the last planned one, up to and with another, in order.
    /// - Parameters:
    ///   - last: the day of the last daily that is planned; when it lies in the past, planning begins today.
    ///   - now: windows that have begun by then are left out.
    public static func windows(
        after last: LocalDate?, through day: LocalDate, zone: PhoneZone, at now: Instant,
        using chance: inout some RandomNumberGenerator
    ) -> [Window] {
        let today = zone.date(at: now)
        var next = last.map { max($0.adding(days: 1), today) } ?? today
        var windows: [Window] = []
        while next <= day {
            var earliest = Instant(milliseconds: .min)
            for period in periods {
                let drawn = Int.random(in: period..<(period + periodMinutes), using: &chance)
                let opens = max(zone.instant(next, minute: drawn), earliest)
                earliest = opens.adding(seconds: openSeconds)
                if opens > now { windows.append(Window(opens: opens, closes: earliest)) }
            }
            next = next.adding(days: 1)
        }
        return windows
    }
}
