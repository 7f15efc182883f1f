import Database
import Delivery
import Records
import Rules
import Studies
import Therapies
import Web
import Wire

/// Brings plan, reactions and interventions of a therapy into line with its protocols (PR-17). They are ordinary ones
/// that name their protocol: there is no second engine.
package enum ProtocolPlanner {
    /// Called after every change that may affect the protocols of a therapy: one was put or changed, an account was
    /// paired, the begin was set, the patient joined or left a study. Repeating it changes nothing.
    package static func reconcile(
        _ id: ID<Therapy>, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let therapy = try TherapyStore.find(id, connection), therapy.endedAt == nil else { return }
        try followStudies(therapy, services, now, connection)
        let put = try PutProtocolStore.all(in: id, connection)
        let kept = Set(put.map(\.protocolID))
        var interventions: [(origin: ID<TreatmentProtocol>, wanted: PlannedInterventions.Wanted)] = []
        for put in put {
            guard let record = try ProtocolStore.find(put.protocolID, connection) else { continue }
            try ProtocolDelivery.apply(
                asked(put, record, therapy), of: record.id, in: id, begin: therapy.startedOn,
                services.chance, at: now, connection)
            // A therapy that was handed over keeps its plan; the reactions belong to its former therapist.
            let reacts = record.scope != .own || record.ownerID == therapy.therapistID
            try RuleProtocolStore.set(
                reacts ? put.definition.rules : [], of: record.id, in: id, connection)
            interventions += put.definition.interventions.map { (record.id, $0) }
        }
        try ProtocolDelivery.drop(allBut: kept, in: id, at: now, connection)
        try RuleProtocolStore.drop(allBut: kept, in: id, connection)
        try PlannedInterventions.apply(interventions, in: id, services.chance, at: now, connection)
        try DeliveryPlanner.reconcile(id, services, now: now, connection)
        try PlannedInterventions.send(in: therapy, services, now: now, connection)
    }

    /// A group without app gets none of the study's questions and interventions; its results still trigger reactions.
    private static func asked(
        _ put: PutProtocol, _ record: ProtocolRecord, _ therapy: Therapy
    ) -> [DeliveryRuleDraft] {
        record.scope == .study && !therapy.asksByApp ? [] : put.definition.asked
    }

    // MARK: Dailies

    /// Switches dailies according to a protocol, where that differs from the former state.
    static func setDailies(
        _ isOn: Bool?, before: Bool?, in therapy: Therapy, _ services: Services, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let isOn, isOn != before, therapy.endedAt == nil else { return }
        try TherapyStore.setDailiesOff(
            isOn ? nil : now, in: therapy.id, therapist: therapy.therapistID, connection)
        if isOn {
            try DailyPlanning.plan(therapy.id, services, now: now, connection)
        } else {
            try DailyStore.clearFuture(in: therapy.id, at: now, connection)
        }
    }

    // MARK: Studies

    /// The protocols of studies the patient takes part in and has consented to (IO-20), while paired (IO-6).
    private static func ofStudies(
        _ therapy: Therapy, now: Instant, _ put: [PutProtocol], _ connection: borrowing Connection
    ) throws -> [ProtocolRecord] {
        guard let account = therapy.accountID else { return [] }
        return try ParticipationStore.studies(of: account, at: now, connection).flatMap { participation in
            let since = max(participation.since, therapy.pairedAt ?? participation.since)
            return try ProtocolStore.all(of: participation.study, connection).filter { record in
                guard record.acts(on: participation.arm) else { return false }
                return record.actsSince < since || put.contains { $0.protocolID == record.id }
            }
        }
    }

    private static func followStudies(
        _ therapy: Therapy, _ services: Services, _ now: Instant, _ connection: borrowing Connection
    ) throws {
        let put = try PutProtocolStore.all(in: therapy.id, connection).filter { !$0.isChosen }
        let wanted = try ofStudies(therapy, now: now, put, connection)
        for left in put where !wanted.contains(where: { $0.id == left.protocolID }) {
            try PutProtocolStore.take(left.protocolID, from: therapy.id, connection)
        }
        for record in wanted where !put.contains(where: { $0.protocolID == record.id }) {
            try PutProtocolStore.put(record, on: therapy.id, isChosen: false, at: now, connection)
            try setDailies(
                record.definition.dailies, before: nil, in: therapy, services, now: now, connection)
        }
    }

    /// Called when an account joins or leaves a study, or changes its answer on research.
    static func participates(
        _ account: ID<Account>, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let therapy = try TherapyStore.running(of: account, connection) else { return }
        try reconcile(therapy.id, services, now: now, connection)
    }

    // MARK: By the clock

    /// Once an hour: studies that have ended, and interventions that are due.
    package static func run(_ services: Services, part: Int = 200) throws {
        let now = services.clock.now
        var last: ID<Therapy> = ""
        while true {
            let after = last
            let (end, changed) = try services.records.read { connection in
                let ids = try PutProtocolStore.inStudies(after: after, limit: part, connection)
                let changed = try ids.filter { try isBehindStudies($0, now: now, connection) }
                return (ids.last, changed)
            }
            guard let end else { break }
            last = end
            for id in changed {
                try services.records.write(.protocolFollowed, by: nil, about: id, at: now) { connection in
                    try reconcile(id, services, now: now, connection)
                }
            }
        }
        try PlannedInterventions.run(services)
    }

    private static func isBehindStudies(
        _ id: ID<Therapy>, now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        guard let therapy = try TherapyStore.find(id, connection) else { return false }
        let put = try PutProtocolStore.all(in: id, connection).filter { !$0.isChosen }
        return Set(try ofStudies(therapy, now: now, put, connection).map(\.id))
            != Set(put.map(\.protocolID))
    }
}
