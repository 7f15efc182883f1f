import Database
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Interventions that protocols send on a day of the therapy: planning, sending, withdrawing (PR-17). A sent one is
/// an ordinary intervention.
package enum PlannedInterventions {
    package struct Wanted: Sendable, Hashable {
        package let text: ID<LibraryIntervention>
        package let day: Int

        package init(text: ID<LibraryIntervention>, day: Int) { (self.text, self.day) = (text, day) }
    }

    /// Brings a therapy's planned ones into line with its protocols, and withdraws those that no protocol names any
    /// more, unless opened. The same text on the same day is sent once, whichever protocols name it.
    package static func apply(
        _ wanted: [(origin: ID<TreatmentProtocol>, wanted: Wanted)], in therapy: ID<Therapy>,
        _ chance: Randomness, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let present = try PlannedInterventionStore.all(in: therapy, connection)
        let origins = Dictionary(grouping: wanted, by: \.wanted).mapValues { $0.map(\.origin) }
        for (wanted, origins) in origins.sorted(by: { ($0.key.day, $0.key.text) < ($1.key.day, $1.key.text) })
        {
            guard let first = origins.first else { continue }
            let same = present.filter { $0.libraryID == wanted.text && $0.day == wanted.day }
            if let there = same.first(where: isThere) {
                guard let origin = there.protocolID, !origins.contains(origin) else { continue }
                try PlannedInterventionStore.take(there.id, over: first, connection)
            } else if let withdrawn = same.first {
                // One withdrawn by hand, or withdrawn unopened after sending, is not sent again.
                if same.contains(where: { $0.isWithdrawnByHand || $0.sentAt != nil }) { continue }
                try PlannedInterventionStore.take(withdrawn.id, over: first, connection)
            } else {
                try PlannedInterventionStore.insert(
                    chance.id(), wanted.text, day: wanted.day, of: first, in: therapy, at: now, connection)
            }
        }
        for left in present where left.protocolID != nil && isThere(left) {
            if origins[Wanted(text: left.libraryID, day: left.day)] != nil { continue }
            try withdraw(left, in: therapy, byHand: false, at: now, connection)
        }
    }

    private static func isThere(_ planned: PlannedIntervention) -> Bool { planned.withdrawnAt == nil }

    private static func withdraw(
        _ planned: PlannedIntervention, in therapy: ID<Therapy>, byHand: Bool, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        if let sent = planned.interventionID {
            // An opened one was read: it stays.
            guard try InterventionStore.withdraw(sent, in: therapy, at: now, connection) else { return }
        }
        try PlannedInterventionStore.withdraw(planned.id, in: therapy, byHand: byHand, at: now, connection)
    }

    /// Turns a protocol's planned ones into the patient's own, which stay.
    package static func keep(
        from id: ID<TreatmentProtocol>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try PlannedInterventionStore.detach(from: id, in: therapy, connection)
    }

    /// By hand, before it was sent.
    /// - Throws: `Problem.notFound` for another therapy's, `.conflict` for one that was sent or withdrawn.
    package static func withdraw(_ id: ID<PlannedIntervention>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        try c.write(.plannedInterventionWithdrawn, about: therapy, object: id) { [now = c.now] connection in
            let all = try PlannedInterventionStore.all(in: therapy, connection)
            guard let planned = all.first(where: { $0.id == id }) else { throw Problem.notFound }
            if planned.sentAt != nil || planned.withdrawnAt != nil {
                throw Problem.conflict(Message("protocols.not_waiting"))
            }
            try withdraw(planned, in: therapy, byHand: true, at: now, connection)
        }
    }

    // MARK: Sending

    package static func course(
        _ therapy: Therapy, _ services: Services, _ connection: borrowing Connection
    ) throws -> PlannedIntervention.Course {
        let name = try therapy.accountID.flatMap { try AccountStore.find($0, connection)?.timezone }
        return PlannedIntervention.Course(
            therapy, Zone(name ?? services.timezone), try PauseStore.all(for: therapy, connection))
    }

    private static func due(
        in therapy: Therapy, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws -> [PlannedIntervention] {
        // Only while paired, and not in a group without interventions (IO-6, IO-21).
        guard therapy.accountID != nil, therapy.endedAt == nil, therapy.mayReceiveInterventions else {
            return []
        }
        let course = try course(therapy, services, connection)
        // A text that has left the library is not sent.
        return try PlannedInterventionStore.all(in: therapy.id, connection).filter { planned in
            guard planned.isDue(course, at: now) else { return false }
            return try LibraryStore.named(planned.libraryID, connection)?.isRetired == false
        }
    }

    /// Sends those that are due.
    package static func send(
        in therapy: Therapy, _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        for planned in try due(in: therapy, services, now: now, connection) {
            guard let text = try LibraryStore.named(planned.libraryID, connection) else { continue }
            let id: ID<Intervention> = services.chance.id()
            try InterventionStore.insert(
                id, text.kind, try text.text.sealed(try therapy.key(services.keys), for: id),
                library: text.id, in: therapy.id, at: now, connection)
            try PlannedInterventionStore.noteSent(planned.id, as: id, at: now, connection)
        }
    }

    /// Once an hour, for therapies with due ones. Only these get a line in the audit log.
    package static func run(_ services: Services, part: Int = 200) throws {
        let now = services.clock.now
        var last: ID<Therapy> = ""
        while true {
            let after = last
            let (end, due) = try services.records.read { connection in
                let ids = try PlannedInterventionStore.waiting(after: after, limit: part, connection)
                let due = try ids.compactMap { try TherapyStore.find($0, connection) }.filter {
                    try !self.due(in: $0, services, now: now, connection).isEmpty
                }
                return (ids.last, due)
            }
            guard let end else { return }
            last = end
            for therapy in due {
                try services.records.write(
                    .plannedInterventionSent, by: nil, about: therapy.id, at: now
                ) { connection in
                    guard let present = try TherapyStore.find(therapy.id, connection) else { return }
                    try send(in: present, services, now: now, connection)
                }
            }
        }
    }
}
