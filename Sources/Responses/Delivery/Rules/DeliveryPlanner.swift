import Database
import Identity
import Instruments
import Psychometrics
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire

/// An assignment that a rule asks for.
package struct PlannedAssignment: Sendable, Equatable {
    let rule: ID<DeliveryRule>
    /// What for: `session/…`, `begin`, `end`, a day, `result/…`. One assignment for each questionnaire.
    let occasion: String
    let key: String
    let position: Int
    let battery: ID<Battery>?
    let source: AssignmentRecord.Source
    let from: Instant
    let due: Instant
}

/// What the rules of a therapy ask for at a moment. No database, no clock.
struct DeliveryPlan: Sendable {
    let therapy: Therapy
    let sessions: [Session]
    /// The patient's zone.
    let zone: Zone
    let now: Instant
    var pauses = PauseSpans([], Zone("UTC"))

    /// Further ahead sessions move too often to be worth a plan.
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
            let from = max(pairedAt, rule.createdAt)
            let window = pauses.moved(from, from.adding(seconds: open))
            return window.due > now ? [("begin", window.from, window.due)] : []
        case .therapyEnd:
            guard let day = therapy.endsOn else { return [] }
            let due = zone.instant(day.adding(days: 1), hour: 0, minute: 0)
            return due > now ? [("end", due.adding(seconds: -open), due)] : []
        case .repeated:
            guard let rhythm = rule.rhythm else { return [] }
            let today = LocalTime(now, zone).date
            // What a pause has moved to today may have been due long ago.
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

/// Makes the assignments of a therapy what its rules ask for: follows sessions as they are made, moved and
/// cancelled, the planned end, and time itself. What a hand took back stays back; what was answered stays.
package enum DeliveryPlanner {
    /// - Parameter zone: the clinic's, for patients who have none yet.
    package static func reconcile(
        _ therapyID: ID<Therapy>, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let therapy = try TherapyStore.find(therapyID, connection) else { return }
        let rules = try DeliveryRuleStore.active(in: therapyID, connection)
        let made = try DeliveryRuleStore.made(in: therapyID, connection)
        if rules.isEmpty && made.isEmpty { return }
        let name = try therapy.accountID.flatMap { try AccountStore.find($0, connection)?.timezone }
        let zone = Zone(name ?? services.timezone)
        let plan = DeliveryPlan(
            therapy: therapy, sessions: try SessionStore.coming(of: therapyID, after: now, connection),
            zone: zone, now: now, pauses: PauseSpans(try PauseStore.all(for: therapy, connection), zone))
        var wanted: [PlannedAssignment] = []
        for rule in rules { wanted += plan.wanted(by: rule, try keys(of: rule, connection)) }
        // A begin comes once; its window may have been moved by a pause that is no more.
        let begun = therapy.endedAt == nil ? Set(rules.map(\.id)) : []
        let kept = made.filter { !($0.occasion == "begin" && begun.contains($0.rule)) || $0.due <= now }
        let isBegun = { (wanted: PlannedAssignment) in
            made.contains {
                $0.occasion == "begin" && $0.rule == wanted.rule && $0.key == wanted.key && $0.due > now
            }
        }
        try apply(
            wanted.filter { !($0.occasion == "begin" && isBegun($0)) }, over: kept, in: therapyID, services,
            now,
            connection)
    }

    static func keys(of rule: DeliveryRule, _ connection: borrowing Connection) throws -> [String] {
        if let key = rule.questionnaireKey { return [key] }
        return try rule.batteryID.flatMap { try BatteryStore.find($0, connection)?.keys } ?? []
    }

    private static func apply(
        _ wanted: [PlannedAssignment], over made: [DeliveryRuleStore.Made], in therapy: ID<Therapy>,
        _ services: Services,
        _ now: Instant, _ connection: borrowing Connection
    ) throws {
        let name = { (rule: ID<DeliveryRule>, occasion: String, key: String) in "\(rule)/\(occasion)/\(key)" }
        var known = Dictionary(grouping: made) { name($0.rule, $0.occasion, $0.key) }
        for wanted in wanted {
            let existing = known.removeValue(forKey: name(wanted.rule, wanted.occasion, wanted.key)) ?? []
            try reconcile(wanted, existing, in: therapy, services, now, connection)
        }
        for left in known.values.joined() {
            let isOver = left.isAnswered || left.isWithdrawn || left.due <= now
            if isOver || left.occasion.hasPrefix("result/") { continue }
            try DeliveryRuleStore.withdraw(left.id, at: now, connection)
        }
    }

    /// What a device has fetched keeps its window, so that an answer made in it still counts; another window is another
    /// assignment. What no device knows of just moves. One is open at a time, and none once it was answered.
    private static func reconcile(
        _ wanted: PlannedAssignment, _ existing: [DeliveryRuleStore.Made], in therapy: ID<Therapy>,
        _ services: Services,
        _ now: Instant, _ connection: borrowing Connection
    ) throws {
        let live = existing.filter { !$0.isWithdrawn && !$0.isAnswered }
        if existing.contains(where: \.isAnswered) {
            for rest in live { try DeliveryRuleStore.withdraw(rest.id, at: now, connection) }
            return
        }
        let isByHand = existing.contains { $0.isWithdrawn && !$0.isWithdrawnByPlan }
        if live.isEmpty && isByHand { return }
        // The begin's window stays as it was first made.
        if !live.isEmpty && wanted.occasion == "begin" { return }
        let isSame = { (made: DeliveryRuleStore.Made) in made.from == wanted.from && made.due == wanted.due }
        let candidates = existing.filter { !$0.isWithdrawn || $0.isWithdrawnByPlan }
        let kept =
            live.first(where: isSame) ?? candidates.first(where: isSame) ?? candidates.first { !$0.isFetched }
        for rest in live where rest.id != kept?.id {
            try DeliveryRuleStore.withdraw(rest.id, at: now, connection)
        }
        guard let kept else { return try make(wanted, in: therapy, services, now, connection) }
        if !isSame(kept) || kept.isWithdrawn {
            try DeliveryRuleStore.move(kept.id, from: wanted.from, due: wanted.due, connection)
        }
    }

    private static func make(
        _ wanted: PlannedAssignment, in therapy: ID<Therapy>, _ services: Services, _ now: Instant,
        _ connection: borrowing Connection
    ) throws {
        // A questionnaire that went out of use is not assigned any more.
        guard let record = try QuestionnaireStore.newest(wanted.key, services.questionnaires, connection)
        else {
            return
        }
        // Nor is one that came into a battery later and whose owner's permission nobody has confirmed.
        if try InstrumentStore.card(wanted.key, connection).needsConfirmation { return }
        try DeliveryRuleStore.insert(
            wanted, id: services.chance.id(), questionnaire: record.id, in: therapy, at: now, connection)
    }

    /// What the scores of a sheet call for. A sheet that a rule asked for never calls for that rule again.
    package static func react(
        to scores: [ScaleScore], of key: String, sheet: ID<ContributionRecord>, assignment: ID<Assignment>?,
        in therapy: ID<Therapy>,
        _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        let rules = try DeliveryRuleStore.active(in: therapy, connection).filter { $0.watch?.key == key }
        guard !rules.isEmpty else { return }
        let cause = try assignment.flatMap { try DeliveryRuleStore.rule(of: $0, connection) }
        for rule in rules where rule.id != cause {
            guard let watch = rule.watch,
                let value = scores.first(where: { $0.scale == watch.scale })?.value
            else { continue }
            let last = try DeliveryRuleStore.lastMade(by: rule.id, connection)
            let isResting = last.map { $0.adding(days: Int64(watch.restDays)) > now } ?? false
            guard watch.threshold.isMet(by: value), !isResting else { continue }
            for (position, key) in try keys(of: rule, connection).enumerated() {
                let wanted = PlannedAssignment(
                    rule: rule.id, occasion: "result/\(sheet)", key: key, position: position,
                    battery: rule.batteryID, source: .rule, from: now,
                    due: now.adding(seconds: Int64(rule.openMinutes) * 60))
                try make(wanted, in: therapy, services, now, connection)
            }
        }
    }

    /// Once the assignment of a rule is answered, nothing else is asked for the same.
    package static func settle(
        _ assignment: ID<Assignment>?, in therapy: ID<Therapy>, _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let assignment, try DeliveryRuleStore.rule(of: assignment, connection) != nil else { return }
        try reconcile(therapy, services, now: now, connection)
    }

    /// Looks ahead for everybody: what the horizon has reached since the last time.
    package static func run(_ services: Services, part: Int = 100) throws {
        let now = services.clock.now
        var last: ID<Therapy> = ""
        while true {
            let after = last
            let ids = try services.records.read { connection in
                try DeliveryRuleStore.therapies(after: after, limit: part, connection)
            }
            guard let end = ids.last else { return }
            last = end
            try services.records.writeUnaudited(.plan) { connection in
                for id in ids { try reconcile(id, services, now: now, connection) }
            }
        }
    }
}
