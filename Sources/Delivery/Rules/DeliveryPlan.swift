import Records
import Scheduling
import Therapies
import Wire

/// An assignment that a rule asks for.
package struct PlannedAssignment: Sendable, Equatable {
    let rule: ID<DeliveryRule>
    /// The occasion: `session/…`, `begin`, `end`, a day, `result/…`. One assignment for each questionnaire.
    let occasion: String
    let key: String
    let position: Int
    let battery: ID<Battery>?
    let source: AssignmentRecord.Source
    let from: Instant
    let due: Instant
}

/// The assignments that the rules of a therapy ask for at a moment. No database, no clock.
struct DeliveryPlan: Sendable {
    let therapy: Therapy
    let sessions: [Session]
    /// The patient's zone.
    let zone: Zone
    let now: Instant
    var pauses = PauseSpans([], Zone("UTC"))

    /// Days planned ahead: later sessions move too often.
    static let horizonDays: Int64 = 60

    /// - Parameter keys: the questionnaires of the rule, in order.
    func wanted(by rule: DeliveryRule, _ keys: [String]) -> [PlannedAssignment] {
        windows(of: rule).flatMap { occasion, from, due in
            keys.enumerated().map { position, key in
                PlannedAssignment(
                    rule: rule.id, occasion: occasion, key: key, position: position, battery: rule.batteryID,
                    source: rule.occasion.source, from: from, due: due)
            }
        }
    }

    private func windows(of rule: DeliveryRule) -> [(occasion: String, from: Instant, due: Instant)] {
        guard let pairedAt = therapy.pairedAt, therapy.endedAt == nil else { return [] }
        let open = Int64(rule.openMinutes) * 60
        switch rule.occasion {
        case .beforeSession:
            let last = now.adding(days: Self.horizonDays)
            return sessions.filter { session in
                session.state(at: now) == .planned && session.startsAt > now && session.startsAt <= last
            }.map { session in
                ("session/\(session.id)", session.startsAt.adding(seconds: -open), session.startsAt)
            }
        case .therapyBegin:
            // For a protocol added later, the begin may be over already.
            let from = rule.protocolID == nil ? max(pairedAt, rule.createdAt) : pairedAt
            let window = pauses.moved(from, from.adding(seconds: open))
            return window.due > now ? [("begin", window.from, window.due)] : []
        case .therapyEnd:
            guard let day = therapy.endsOn else { return [] }
            let due = zone.instant(day.adding(days: 1), hour: 0, minute: 0)
            return due > now ? [("end", due.adding(seconds: -open), due)] : []
        case .repeated:
            guard let rhythm = rule.rhythm else { return [] }
            let today = LocalTime(now, zone).date
            // A window that a pause has moved to today may have been due long ago.
            let back = -(rule.openMinutes / 1440 + 1 + pauses.days(since: now.adding(days: -400)))
            let days = rhythm.days(
                from: today.adding(days: back), through: today.adding(days: Int(Self.horizonDays)))
            let windows = days.map { day in
                let from = zone.instant(day, hour: rhythm.atMinute / 60, minute: rhythm.atMinute % 60)
                return (occasion: day.text, from: from, due: from.adding(seconds: open))
            }
            return rested(windows).filter {
                $0.due > now && $0.from >= max(pairedAt, rule.createdAt.adding(seconds: -open))
            }
        case .result: return []
        }
    }

    /// Regular windows around pauses: of those that would open in one only the last is kept, and opens at its end,
    /// unless the next regular one begins before it would close.
    private func rested(
        _ windows: [(occasion: String, from: Instant, due: Instant)]
    ) -> [(occasion: String, from: Instant, due: Instant)] {
        windows.enumerated().compactMap { index, window in
            let (from, due) = pauses.moved(window.from, window.due)
            if from != window.from, index + 1 < windows.count, windows[index + 1].from < due { return nil }
            return (window.occasion, from, due)
        }
    }
}
