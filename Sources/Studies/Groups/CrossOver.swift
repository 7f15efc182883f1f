import Database
import Records
import Scheduling
import Therapies
import Wire

/// Waiting lists whose interventions begin on a day (ST-5). The arm keeps its name: participants are compared as they were allocated.
package enum CrossOver {
    static func due(at now: Instant, _ connection: borrowing Connection) throws -> [CrossOverStore.Waiting] {
        try CrossOverStore.waiting(at: now, connection).filter { isDue($0, at: now) }
    }

    /// - Returns: false where the participant does not wait any more.
    static func cross(
        _ one: CrossOverStore.Waiting, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        guard try CrossOverStore.isWaiting(one.enrolment, connection) else { return false }
        try CrossOverStore.cross(one.enrolment, to: .full, in: one.arm, at: now, connection)
        return true
    }

    /// Days are local, and counted from the first allocation: coming back begins none anew.
    static func isDue(_ one: CrossOverStore.Waiting, at now: Instant) -> Bool {
        let first = LocalTime(one.allocatedAt, one.zone).date
        return first.adding(days: one.days) <= LocalTime(now, one.zone).date
    }
}
