import Contributions
import Delivery
import JSON
import Psychometrics
import Records
import Scheduling
import Therapies
import Wire

/// A patient's data as far as rules need it. No database, no clock: it can be evaluated at any moment of the past, too.
struct History: Sendable {
    struct Contribution: Sendable {
        let id: ID<ContributionRecord>
        let completedAt: Instant
        let receivedAt: Instant
        /// Numbers by question, or by scale.
        let values: [String: [Double]]
    }

    struct Point: Sendable {
        let id: ID<ContributionRecord>
        let completedAt: Instant
        let receivedAt: Instant
        let value: Double
    }

    /// A delivery whose window has closed.
    struct Slot: Sendable {
        let id: ID<Assignment>
        let closes: Instant
        let answeredAt: Instant?
    }

    /// The subject of a clause: a questionnaire, and an item of it.
    struct Item: Hashable, Sendable {
        let key: String
        let name: String
    }

    /// All of them the earliest first.
    var answers: [String: [Contribution]] = [:]
    var scores: [String: [Contribution]] = [:]
    var points: [Item: [Point]] = [:]
    var slots: [String: [Slot]] = [:]
    /// When answers came in.
    var signs: [Instant] = []
    var sessions: [Session] = []
    let pairedAt: Instant
    /// Values count as the begin from here on.
    let beginsAt: Instant
    let pauses: PauseSpans
    /// When pauses held that were taken away before their end.
    var endedEarly: [Range<Instant>] = []
    var figures: [Item: ReliableChange] = [:]

    // MARK: At a moment

    /// The last sheets received by then, the newest first.
    /// - Parameter last: ignores sheets completed after this moment.
    func newest(_ count: Int, of sheets: [Contribution], at now: Instant, upTo last: Instant?)
        -> [Contribution]
    {
        var found: [Contribution] = []
        for sheet in Self.upTo(now, sheets, \.completedAt).reversed()
        where sheet.receivedAt <= now && last.map({ sheet.completedAt <= $0 }) ?? true {
            found.append(sheet)
            if found.count == count { break }
        }
        return found
    }

    func newest(_ count: Int, of item: Item, at now: Instant, upTo last: Instant?) -> [Point] {
        var found: [Point] = []
        for point in Self.upTo(now, points[item] ?? [], \.completedAt).reversed()
        where point.receivedAt <= now && last.map({ point.completedAt <= $0 }) ?? true {
            found.append(point)
            if found.count == count { break }
        }
        return found
    }

    /// The first value from the begin on.
    func begin(of item: Item, at now: Instant) -> Point? {
        points[item]?.first { $0.completedAt >= beginsAt && $0.receivedAt <= now }
    }

    /// Those that can have come in by then: clocks of phones run ahead by minutes at most.
    static func upTo<T>(_ now: Instant, _ things: [T], _ time: (T) -> Instant) -> ArraySlice<T> {
        let limit = now.adding(seconds: 3600)
        return things[..<things.partitioningIndex { time($0) > limit }]
    }

    func hasSession(within days: Int, of now: Instant) -> Bool {
        let last = now.adding(days: Int64(days))
        return sessions.contains { session in
            session.startsAt > now && session.startsAt <= last && session.mark != .cancelled
                && session.mark != .missed
        }
    }

    /// When the patient's silence began: with the last answer, the pairing, or the end of a pause.
    func silentSince(at now: Instant) -> Instant {
        let last = Self.upTo(now, signs, \.self).last { $0 <= now }
        let early = endedEarly.map(\.upperBound).filter { $0 <= now }.max()
        return [last, early, pauses.lastEnd(before: now)].compactMap(\.self).reduce(pairedAt, max)
    }

    /// Whether nothing is asked at a moment.
    func isPaused(at now: Instant) -> Bool {
        pauses.span(at: now) != nil || endedEarly.contains { $0.contains(now) }
    }
}

extension StoredJSON {
    /// The numeric answers of a sheet, by question; several for a multiple choice.
    package var numbers: [String: [Double]] {
        get throws {
            guard case .object(let members) = try JSON.parse(bytes) else { return [:] }
            var numbers: [String: [Double]] = [:]
            for member in members {
                switch member.value {
                case .number(let value): numbers[member.key] = [value]
                case .array(let values):
                    numbers[member.key] = values.compactMap { value in
                        if case .number(let number) = value { return number }
                        return nil
                    }
                default: continue
                }
            }
            return numbers
        }
    }
}
