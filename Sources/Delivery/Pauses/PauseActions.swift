import Database
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Suspends questions during a pause: no dailies, windows moved, deadlines later by as much. For page and call alike.
package enum PauseActions {
    /// - Parameter therapy: nil for the therapist's own holiday.
    package static func make<P>(
        _ draft: PauseDraft, of therapist: AccountRecord, for therapy: Therapy?, _ c: Context<P>
    ) throws -> ID<PauseRecord> {
        if therapy?.endedAt != nil { throw Problem.conflict(Message("assignments.therapy_ended")) }
        let id: ID<PauseRecord> = c.newID()
        let key = try therapy?.key(c.keys) ?? therapist.key(c.keys)
        let cover = draft.cover.map { key.seal($0, for: PausePlace.cover(id)) }
        let change = try c.change(
            of: key, to: ["starts_on": draft.startsOn.text, "ends_on": draft.endsOn.text])
        try c.write(.pauseMade, about: therapy?.id, object: id, change: change) {
            [now = c.now, services = c.services] connection in
            try PauseStore.insert(
                draft, id: id, of: therapist.id, therapy: therapy?.id, cover: cover, at: now, connection)
            guard let pause = try PauseStore.find(id, of: therapist.id, therapy: therapy?.id, connection)
            else { return }
            for affected in try self.affected(therapist.id, therapy, connection) {
                try begin(pause, affected, services, now, connection)
            }
        }
        return id
    }

    /// Ends a pause: the dailies of its days are planned again. Deadlines that were moved stay moved.
    package static func remove<P>(
        _ id: ID<PauseRecord>, of therapist: AccountRecord, for therapy: Therapy?, _ c: Context<P>
    ) throws {
        let pause = try c.read { try PauseStore.find(id, of: therapist.id, therapy: therapy?.id, $0) }
        guard let pause else { throw Problem.notFound }
        let change = try c.change(
            of: try therapy?.key(c.keys) ?? therapist.key(c.keys),
            from: ["starts_on": pause.startsOn.text, "ends_on": pause.endsOn.text])
        let affected = try c.read { try self.affected(therapist.id, therapy, $0) }
        try c.write(.pauseRemoved, about: therapy?.id, object: id, change: change) {
            [now = c.now, services = c.services] connection in
            try PauseStore.remove(id, of: therapist.id, at: now, connection)
            for therapy in affected { try replan(therapy, services, now, connection) }
        }
    }

    /// Undoes a removal; the pause applies again from today on.
    /// - Throws: `Problem.conflict` for one that was not removed, `.notFound` for one deleted for good.
    package static func bringBack<P>(
        _ id: ID<PauseRecord>, of therapist: AccountRecord, for therapy: Therapy?, _ c: Context<P>
    ) throws {
        let affected = try c.read { try self.affected(therapist.id, therapy, $0) }
        try c.write(.pauseReturned, about: therapy?.id, object: id) {
            [now = c.now, services = c.services] connection in
            guard
                let pause = try PauseStore.removed(
                    id, of: therapist.id, therapy: therapy?.id, at: now, connection)
            else {
                let present = try PauseStore.find(id, of: therapist.id, therapy: therapy?.id, connection)
                throw present == nil ? Problem.notFound : .conflict(Message("undo.not_removed"))
            }
            try PauseStore.bringBack(id, of: therapist.id, connection)
            // Windows moved when the pause was made have stayed moved.
            for therapy in affected {
                try DailyStore.clear(
                    from: pause.startsOn, through: pause.endsOn, in: therapy.id, at: now, connection)
                try DeliveryPlanner.reconcile(therapy.id, services, now: now, connection)
            }
        }
    }

    private static func affected(
        _ therapist: ID<Account>, _ therapy: Therapy?, _ connection: borrowing Connection
    ) throws -> [Therapy] {
        if let therapy { return [therapy] }
        return try TherapyStore.caseload(of: therapist, connection).filter {
            $0.accountID != nil && $0.endedAt == nil
        }
    }

    private static func begin(
        _ pause: PauseRecord, _ therapy: Therapy, _ services: Services, _ now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try DailyStore.clear(
            from: pause.startsOn, through: pause.endsOn, in: therapy.id, at: now, connection)
        try DeliveryPlanner.reconcile(therapy.id, services, now: now, connection)
        let zone = try zone(of: therapy, services, connection)
        // Days that another pause covers were added before.
        let others = try PauseStore.all(for: therapy, connection).filter { $0.id != pause.id }
        let spans = PauseSpans([pause], zone).adding(to: PauseSpans(others, zone))
        for open in try AssignmentStore.movable(in: therapy.id, at: now, connection) {
            let (from, due) = spans.moved(open.availableFrom, open.dueAt)
            guard due != open.dueAt else { continue }
            // A phone that has fetched it may answer from the time it was told.
            let isSeen = open.ledger.fetchedAt != nil || open.availableFrom <= now
            try AssignmentStore.move(
                open.id, from: isSeen ? open.availableFrom : from, due: due, in: therapy.id, connection)
        }
    }

    /// Plans a therapy again according to its pauses in force.
    package static func replan(
        _ therapy: Therapy, _ services: Services, _ now: Instant, _ connection: borrowing Connection
    ) throws {
        if let course = try DailyStore.course(therapy.id, connection), course.isOn,
            let zone = course.plannedZone, zone == course.zone
        {
            let last = LocalTime(now, Zone(zone)).date.adding(days: DailyPlan.daysAhead)
            try DailyStore.revive(in: therapy.id, zone: zone, through: last, at: now, connection)
            for other in try PauseStore.all(for: therapy, connection) {
                try DailyStore.clear(
                    from: other.startsOn, through: other.endsOn, in: therapy.id, at: now, connection)
            }
            try TherapyStore.replan(therapy.id, connection)
            try DailyPlanning.plan(therapy.id, services, now: now, connection)
        }
        try DeliveryPlanner.reconcile(therapy.id, services, now: now, connection)
    }

    private static func zone(
        of therapy: Therapy, _ services: Services, _ connection: borrowing Connection
    ) throws -> Zone {
        let name = try therapy.accountID.flatMap { try AccountStore.find($0, connection)?.timezone }
        return Zone(name ?? services.timezone)
    }
}

extension AuditAction {
    static let pauseReturned = AuditAction(name: "pause.returned")
}

extension Undo {
    package static let pause = Undo(
        by: "/patients/:patient/pauses/:pause/return", shown: "/patients/:patient/pauses",
        PauseStore.revision)
    package static let holiday = Undo(by: "/pauses/:pause/return", shown: "/pauses", PauseStore.revision)
}
