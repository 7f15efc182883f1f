import Contributions
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

/// Brings the assignments of a therapy into line with its rules: follows sessions as they are made, moved and
/// cancelled, the planned end, and time itself. Assignments withdrawn by hand stay withdrawn; answered ones stay.
package enum DeliveryPlanner {
    /// - Parameter zone: the clinic's, for patients who have none yet.
    package static func reconcile(
        _ therapyID: ID<Therapy>, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let therapy = try TherapyStore.find(therapyID, connection) else { return }
        if let account = therapy.accountID {
            try services.therapyChanges(of: account, at: now, connection)
        }
        let rules = try DeliveryRuleStore.active(in: therapyID, connection)
        var made = try DeliveryRuleStore.made(in: therapyID, connection)
        if rules.isEmpty && made.isEmpty { return }
        let name = try therapy.accountID.flatMap { try AccountStore.find($0, connection)?.timezone }
        let zone = Zone(name ?? services.timezone)
        let plan = DeliveryPlan(
            therapy: therapy, sessions: try SessionStore.coming(of: therapyID, after: now, connection),
            zone: zone, now: now, pauses: PauseSpans(try PauseStore.all(for: therapy, connection), zone))
        var wanted: [PlannedAssignment] = []
        for rule in rules { wanted += plan.wanted(by: rule, try keys(of: rule, connection)) }
        if rules.contains(where: { $0.protocolID != nil }) {
            (wanted, made) = try settle(wanted, rules, made, in: therapyID, now, connection)
        }
        // A begin comes once; its window may have been moved by a pause that has been removed since.
        let begun = therapy.endedAt == nil ? Set(rules.map(\.id)) : []
        let kept = made.filter { !($0.occasion == "begin" && begun.contains($0.rule)) || $0.due <= now }
        let isBegun = { (wanted: PlannedAssignment) in
            made.contains {
                $0.occasion == "begin" && $0.rule == wanted.rule && $0.key == wanted.key && $0.due > now
            }
        }
        try apply(
            wanted.filter { !($0.occasion == "begin" && isBegun($0)) }, over: kept, in: therapyID, services,
            now, connection)
    }

    /// Removes what is asked already from a protocol's wishes.
    private static func settle(
        _ wanted: [PlannedAssignment], _ rules: [DeliveryRule], _ made: [DeliveryRuleStore.Made],
        in therapy: ID<Therapy>, _ now: Instant, _ connection: borrowing Connection
    ) throws -> ([PlannedAssignment], [DeliveryRuleStore.Made]) {
        let overlap = ProtocolOverlap(
            rules: Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) }),
            dropped: try ProtocolRuleStore.dropped(in: therapy, connection),
            byHand: try ProtocolRuleStore.assignedByHand(in: therapy, connection))
        let (settled, adoptions) = overlap.settled(wanted, made, now: now)
        if adoptions.isEmpty { return (settled, made) }
        for adoption in adoptions {
            try ProtocolRuleStore.adopt(adoption.id, by: adoption.wanted, connection)
        }
        return (settled, try DeliveryRuleStore.made(in: therapy, connection))
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
            // A patient who has begun to answer a protocol's assignment may finish it.
            if left.isFromProtocol, try ProtocolRuleStore.isBegun(left.id, connection) { continue }
            try DeliveryRuleStore.withdraw(left.id, at: now, connection)
        }
    }

    /// A fetched assignment keeps its window, so that an answer made in it still counts; another window makes another
    /// assignment. One that no device knows just moves. One is open at a time, and none after an answer.
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
        // A questionnaire out of use is not assigned any more.
        guard let record = try QuestionnaireStore.newest(wanted.key, services.questionnaires, connection)
        else {
            return
        }
        // Nor is one that was added to a battery later and lacks its owner's permission.
        if try InstrumentStore.card(wanted.key, connection).needsConfirmation { return }
        try DeliveryRuleStore.insert(
            wanted, id: services.chance.id(), questionnaire: record.id, in: therapy, at: now, connection)
    }

    /// The assignments that a sheet's scores trigger. A sheet never triggers the rule that asked for it.
    package static func react(
        to scores: [ScaleScore], of key: String, sheet: ID<ContributionRecord>, assignment: ID<Assignment>?,
        in therapy: ID<Therapy>,
        _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        let rules = try DeliveryRuleStore.active(in: therapy, connection).filter { $0.watch?.key == key }
        guard !rules.isEmpty else { return }
        let cause = try assignment.flatMap { try DeliveryRuleStore.rule(of: $0, connection) }
        let isOwn = { (rule: DeliveryRule) in rule.protocolID == nil }
        var asked: Set<String> = []
        for rule in rules.filter(isOwn) + rules.filter({ !isOwn($0) }) where rule.id != cause {
            guard let watch = rule.watch,
                let value = scores.first(where: { $0.scale == watch.scale })?.value
            else { continue }
            let last = try DeliveryRuleStore.lastMade(by: rule.id, connection)
            let isResting = last.map { $0.adding(days: Int64(watch.restDays)) > now } ?? false
            guard watch.threshold.isMet(by: value), !isResting else { continue }
            for (position, key) in try keys(of: rule, connection).enumerated() {
                // A questionnaire that another rule asks for the same result is not asked twice.
                if !isOwn(rule) && asked.contains(key) { continue }
                asked.insert(key)
                let wanted = PlannedAssignment(
                    rule: rule.id, occasion: "result/\(sheet)", key: key, position: position,
                    battery: rule.batteryID, source: .rule, from: now,
                    due: now.adding(seconds: Int64(rule.openMinutes) * 60))
                try make(wanted, in: therapy, services, now, connection)
            }
        }
    }

    /// After an answer nothing else is asked for the same occasion.
    package static func settle(
        _ assignment: ID<Assignment>?, in therapy: ID<Therapy>, _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let assignment, try DeliveryRuleStore.rule(of: assignment, connection) != nil else { return }
        try reconcile(therapy, services, now: now, connection)
    }

    /// Plans ahead for all therapies: what the horizon has reached since the last time.
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
