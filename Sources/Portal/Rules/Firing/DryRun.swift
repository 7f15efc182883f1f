import Database
import Wire

/// What a rule would have done so far, had it been on: over stored data, without doing any of it.
struct DryRun: Sendable {
    struct Hit: Sendable {
        let therapy: Therapy
        let at: Instant
        let facts: [Finding.Fact]
    }

    static let days: Int64 = 90

    let hits: [Hit]
    let patients: Int
    let from: Instant

    /// Looks at every moment an answer came in, and at every hour where time alone can meet the rule.
    static func run(
        _ rule: Rule, for therapies: [Therapy], _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws -> DryRun {
        let from = now.adding(days: -days)
        var hits: [Hit] = []
        for therapy in therapies {
            let history = try HistoryStore.history(
                for: [rule], of: therapy, depth: .everything, services, now: now, connection)
            guard let history else { continue }
            hits += rule.hits(in: history, from: from, through: now).map {
                Hit(therapy: therapy, at: $0.at, facts: $0.finding.facts)
            }
        }
        hits.sort { ($1.at, $0.therapy.codename) < ($0.at, $1.therapy.codename) }
        return DryRun(hits: hits, patients: therapies.count, from: from)
    }

    /// How many of the patients it would have met.
    var met: Int { Set(hits.map(\.therapy.id)).count }
}

extension Rule {
    /// When the rule would have fired, the earliest first: never twice by the same facts, and with its rest.
    func hits(in history: History, from: Instant, through now: Instant) -> [(at: Instant, finding: Finding)] {
        var hits: [(at: Instant, finding: Finding)] = []
        var known: Set<String> = []
        for moment in moments(in: history, from: from, through: now) {
            if let last = hits.last?.at, last.adding(days: Int64(restDays)) > moment { continue }
            guard let finding = finding(in: history, at: moment), known.insert(finding.evidence).inserted
            else { continue }
            hits.append((moment, finding))
        }
        return hits
    }

    private func moments(in history: History, from: Instant, through now: Instant) -> [Instant] {
        let sheets =
            history.answers.values.joined().map(\.receivedAt)
            + history.scores.values.joined().map(\.receivedAt)
        let points = history.points.values.joined().map(\.receivedAt)
        var moments = Set((sheets + points).filter { $0 >= from && $0 <= now })
        if needsClock {
            var hour = Instant(milliseconds: (max(from, history.pairedAt).seconds / 3600 + 1) * 3_600_000)
            while hour <= now {
                moments.insert(hour)
                hour = hour.adding(seconds: 3600)
            }
        }
        return moments.sorted()
    }
}
