import Dispatch
import Records
import Therapies
import Web
import Wire

/// What a rule would have done so far: evaluated over stored data, without its actions.
struct DryRun: Sendable {
    struct Hit: Sendable {
        let therapy: Therapy
        let at: Instant
        let facts: [Finding.Fact]
    }

    static let days: Int64 = 90

    let hits: [Hit]
    /// Every therapy the rule applies to.
    let therapies: [Therapy]
    let from: Instant
    let through: Instant

    /// Evaluates the past of every patient the rule applies to.
    static func run(_ record: RuleRecord, _ services: Services, now: Instant) throws -> DryRun {
        let therapies = try services.records.read { try RuleStore.therapies(of: record, $0) }
        return try run(record.rule, for: therapies, services, now: now)
    }

    /// The same for a rule that need not be stored. One run at a time over the whole server, and one patient after
    /// the other, so that requests do not wait for a reader.
    static func run(
        _ rule: Rule, for therapies: [Therapy], _ services: Services, now: Instant
    ) throws -> DryRun {
        let turn = services.part(DryRunTurn.self).semaphore
        turn.wait()
        defer { turn.signal() }
        let from = now.adding(days: -days)
        var hits: [Hit] = []
        for therapy in therapies {
            let history = try services.records.read { connection in
                try HistoryStore.history(
                    for: [rule], of: therapy, depth: .everything, services, now: now, connection)
            }
            hits += (history.map { rule.hits(in: $0, from: from, through: now) } ?? []).map {
                Hit(therapy: therapy, at: $0.at, facts: $0.finding.facts)
            }
        }
        hits.sort { ($1.at, $0.therapy.codename) < ($0.at, $1.therapy.codename) }
        return DryRun(hits: hits, therapies: therapies, from: from, through: now)
    }

    /// The number of patients with a hit.
    var met: Int { Set(hits.map(\.therapy.id)).count }
}

extension Rule {
    /// When the rule would have fired, the earliest first: with new evidence each time, and after its rest.
    func hits(in history: History, from: Instant, through now: Instant) -> [(at: Instant, finding: Finding)] {
        var hits: [(at: Instant, finding: Finding)] = []
        var known: Set<String> = []
        var moments = moments(in: history, from: from, through: now)[...]
        /// The end of the last rest, at which the clock evaluates again.
        var rested: Instant?
        while true {
            let moment: Moment
            if let rest = rested, moments.first.map({ rest <= $0.at }) ?? true {
                moment = Moment(at: rest)
                rested = nil
            } else if let next = moments.popFirst() {
                moment = next
            } else {
                return hits
            }
            guard moment.at <= now else { return hits }
            if let last = hits.last?.at, last.adding(days: Int64(restDays)) > moment.at { continue }
            guard let finding = finding(in: history, at: moment.at, upTo: moment.upTo),
                !finding.evidence.isSubset(of: known)
            else { continue }
            known.formUnion(finding.evidence)
            hits.append((moment.at, finding))
            if needsClock { rested = Self.hour(from: moment.at.adding(days: Int64(restDays))) }
        }
    }

    /// A moment of evaluation; for a late sheet also the time up to which sheets count.
    private struct Moment: Hashable {
        let at: Instant
        var upTo: Instant?
    }

    /// The next evaluation by the clock.
    private static func hour(from moment: Instant) -> Instant {
        Instant(milliseconds: (moment.milliseconds + 3_599_999) / 3_600_000 * 3_600_000)
    }

    /// Every moment at which the rule can become true: an answer came in, or, at the next full hour, a window closed,
    /// a silence grew long enough, a session came near, a pause was over.
    private func moments(in history: History, from: Instant, through now: Instant) -> [Moment] {
        var moments: Set<Moment> = []
        let sheets = Array(history.answers.values) + Array(history.scores.values)
        for list in sheets { moments.formUnion(Self.arrivals(list.map { ($0.completedAt, $0.receivedAt) })) }
        for list in history.points.values {
            moments.formUnion(Self.arrivals(list.map { ($0.completedAt, $0.receivedAt) }))
        }
        if needsClock {
            moments.formUnion(clockTimes(in: history).map { Moment(at: Self.hour(from: $0)) })
        }
        return moments.filter { $0.at >= from && $0.at <= now }.sorted {
            $0.at == $1.at ? $0.upTo ?? .distantPast < $1.upTo ?? .distantPast : $0.at < $1.at
        }
    }

    /// - Parameter sheets: ordered by completion.
    private static func arrivals(_ sheets: [(completed: Instant, received: Instant)]) -> [Moment] {
        var moments: [Moment] = []
        var earliest = Instant.distantFuture
        for sheet in sheets.reversed() {
            moments.append(Moment(at: sheet.received))
            // A newer one had been received before.
            if earliest <= sheet.received {
                moments.append(Moment(at: sheet.received, upTo: sheet.completed))
            }
            earliest = min(earliest, sheet.received)
        }
        return moments
    }

    private func clockTimes(in history: History) -> [Instant] {
        let ends = (history.pauses.spans + history.endedEarly).map(\.upperBound)
        var times = ends + history.slots.values.joined().map { $0.closes.adding(seconds: 1) }
        for clause in clauses where clause.kind == .silent {
            let begins = history.signs + ends + [history.pairedAt]
            times += begins.map { $0.adding(days: Int64(clause.days)) }
        }
        if let days = sessionWithinDays {
            times += history.sessions.map { $0.startsAt.adding(days: -Int64(days)) }
        }
        return times
    }
}

/// Limits dry runs, which read much, to one at a time.
final class DryRunTurn: Part {
    let semaphore = DispatchSemaphore(value: 1)
}
