import Contributions
import Database
import Identity
import Records
import Therapies
import Web
import Wire

/// Evaluates rules after an answer, and by the clock. Their actions cannot trigger a rule again: only answers and
/// missing answers count, and some evidence must be new since the last firing.
package enum RuleRun {
    /// After a sheet was stored, in the same transaction. A late one, behind newer sheets, is also evaluated at the
    /// time of its completion: otherwise its values would never be evaluated.
    /// - Returns: whether a mail is due.
    package static func react(
        to sheet: NewContribution, of key: String, in therapy: Therapy, _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        let rules = try RuleStore.active(for: therapy, connection).filter { $0.rule.keys.contains(key) }
        if rules.isEmpty { return false }
        let isDue = try run(rules, for: therapy, sheet: sheet.id, services, now: now, connection)
        guard try HistoryStore.isLate(sheet.completedAt, of: key, in: therapy.id, connection) else {
            return isDue
        }
        return try run(
            rules, for: therapy, sheet: sheet.id, upTo: sheet.completedAt, services, now: now, connection)
            || isDue
    }

    /// Unreadable data, a broken seal for example, must not cost the patient their sheet, nor others their rules: it
    /// is logged and left out. A failure of the database is not caught here.
    @discardableResult
    private static func run(
        _ rules: [RuleRecord], for therapy: Therapy, sheet: ID<ContributionRecord>?,
        upTo last: Instant? = nil,
        _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        guard !rules.isEmpty else { return false }
        let history = try readable(therapy, services, now) {
            try HistoryStore.history(
                for: rules.map(\.rule), of: therapy, depth: .newest, upTo: last, services, now: now,
                connection)
        }
        guard let history = history ?? nil else { return false }
        let occasion = Occasion(at: now, sheet: sheet, chance: services.chance, keys: services.keys)
        var isMailDue = false
        for record in rules {
            let isFired = try readable(therapy, services, now) { () throws -> Bool in
                guard let finding = record.rule.finding(in: history, at: now, upTo: last),
                    try mayFire(record, finding, therapy, now, connection)
                else { return false }
                try fire(record, finding, therapy, occasion, connection)
                return true
            }
            isMailDue = isMailDue || isFired == true && record.rule.actions.sendsMail
        }
        return isMailDue
    }

    /// - Returns: nil for unreadable data, which is logged.
    private static func readable<T>(
        _ therapy: Therapy, _ services: Services, _ now: Instant, _ body: () throws -> T
    ) throws -> T? {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw error
        } catch {
            let facts = [("therapy", therapy.id.text), ("detail", String(describing: type(of: error)))]
            services.log.line("error", "rules could not look", facts, at: now)
            return nil
        }
    }

    /// Not during its rest, and only with new evidence.
    private static func mayFire(
        _ record: RuleRecord, _ finding: Finding, _ therapy: Therapy, _ now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        let last = try FiringStore.last(of: record.id, for: therapy.id, connection)
        if let last, last.adding(days: Int64(record.rule.restDays)) > now { return false }
        return try FiringStore.hasNews(finding.hashes, of: record.id, for: therapy.id, connection)
    }

    /// The time and the trigger of a firing, and the keys for writing it down.
    private struct Occasion {
        let at: Instant
        /// Nil for the clock.
        let sheet: ID<ContributionRecord>?
        let chance: Randomness
        package let keys: Keyring
    }

    /// Everything that can fail is done before the first row is written.
    private static func fire(
        _ record: RuleRecord, _ finding: Finding, _ therapy: Therapy, _ occasion: Occasion,
        _ connection: borrowing Connection
    ) throws {
        let key = try therapy.key(occasion.keys)
        let id: ID<Firing> = occasion.chance.id()
        guard let owner = try AccountStore.find(record.ownerID, connection) else { return }
        let rule = try record.opened(try owner.key(occasion.keys))
        let written = try FiringRecord(rule: rule, facts: finding.facts).bytes
        let sealed = key.seal(bytes: written, for: FiringPlace.record(id))
        let given = try give(record, therapy, key, occasion, connection)
        try FiringStore.insert(
            NewFiring(
                id: id, rule: record.id, therapy: therapy.id, at: occasion.at, evidence: finding.hashes,
                record: sealed, contribution: occasion.sheet, intervention: given,
                isWithheld: rule.actions.interventionID != nil && !therapy.mayReceiveInterventions,
                isInBriefing: rule.actions.briefing != nil, sendsMail: rule.actions.sendsMail), connection)
        if rule.actions.alert != nil {
            try AlertStore.raise(
                occasion.chance.id(), firing: id, in: therapy.id, at: occasion.at, connection)
        }
    }

    /// - Returns: the intervention's id; nil when the rule gives none, or this patient gets none.
    private static func give(
        _ record: RuleRecord, _ therapy: Therapy, _ key: PersonKey, _ occasion: Occasion,
        _ connection: borrowing Connection
    ) throws -> ID<Intervention>? {
        let text = try record.rule.actions.interventionID.flatMap {
            try LibraryStore.find($0, for: record.ownerID, connection)
        }
        guard let text, !text.isRetired, therapy.mayReceiveInterventions else { return nil }
        let id: ID<Intervention> = occasion.chance.id()
        try InterventionStore.insert(
            id, text.kind, try text.text.sealed(key, for: id), library: text.id, in: therapy.id,
            at: occasion.at, connection)
        return id
    }

    /// Fires a rule at every past moment at which it was met, for the demonstration.
    package static func replay(
        _ record: RuleRecord, for therapy: Therapy, from: Instant, _ chance: Randomness, _ services: Services,
        now: Instant, _ connection: borrowing Connection
    ) throws {
        let history = try HistoryStore.history(
            for: [record.rule], of: therapy, depth: .everything, services, now: now, connection)
        for hit in history.map({ record.rule.hits(in: $0, from: from, through: now) }) ?? [] {
            let sheet = try ContributionStore.sheet(receivedAt: hit.at, inTherapy: therapy.id, connection)
            let occasion = Occasion(at: hit.at, sheet: sheet, chance: chance, keys: services.keys)
            try fire(record, hit.finding, therapy, occasion, connection)
        }
    }

    // MARK: By the clock

    /// Evaluates the rules that time alone can make true, for all therapies. Reading does not hold up others; only
    /// for met rules anything is written.
    /// - Returns: the number of therapies evaluated, and of firings.
    @discardableResult
    package static func tick(_ services: Services, part: Int = 200) throws -> (looked: Int, fired: Int) {
        let now = services.clock.now
        let (owners, reached) = try services.records.read {
            (try RuleStore.owners($0), try RuleProtocolStore.therapies($0))
        }
        var last: ID<Therapy> = ""
        var looked = 0
        var fired = 0
        while !owners.isEmpty {
            let after = last
            let (end, seen, met) = try services.records.read { connection in
                let all = try RuleStore.running(after: after, limit: part, connection)
                let therapies = all.filter { owners.contains($0.therapistID) || reached.contains($0.id) }
                let met = try Self.met(among: therapies, services, now, connection)
                return (all.last?.id, therapies.count, met)
            }
            guard let end else { break }
            last = end
            looked = looked + seen
            for therapy in met { fired += try fireByClock(therapy, services, now) }
        }
        return (looked, fired)
    }

    private static func fireByClock(_ therapy: Therapy, _ services: Services, _ now: Instant) throws -> Int {
        try services.records.write(.ruleFired, by: nil, about: therapy.id, at: now) { connection in
            let before = try FiringStore.count(in: therapy.id, connection)
            let rules = try clockRules(for: therapy, connection)
            try run(rules, for: therapy, sheet: nil, services, now: now, connection)
            return try FiringStore.count(in: therapy.id, connection) - before
        }
    }

    private static func clockRules(
        for therapy: Therapy, _ connection: borrowing Connection
    ) throws -> [RuleRecord] {
        try RuleStore.active(for: therapy, connection).filter(\.rule.needsClock)
    }

    /// The therapies for which a rule is met and may fire.
    private static func met(
        among therapies: [Therapy], _ services: Services, _ now: Instant, _ connection: borrowing Connection
    ) throws -> [Therapy] {
        try therapies.filter { therapy in
            let rules = try clockRules(for: therapy, connection)
            guard !rules.isEmpty else { return false }
            do {
                let history = try HistoryStore.history(
                    for: rules.map(\.rule), of: therapy, depth: .newest, services, now: now, connection)
                guard let history else { return false }
                return try rules.contains { record in
                    guard let finding = record.rule.finding(in: history, at: now) else { return false }
                    return try mayFire(record, finding, therapy, now, connection)
                }
            } catch let error as DatabaseError {
                throw error
            } catch {
                // The write reports the failure once and continues.
                return true
            }
        }
    }
}
