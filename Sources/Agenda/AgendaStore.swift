import Database
import Delivery
import Therapies

/// What of all accounts is asked, given and awaited and is still to be told of, for statements that read it of many at once.
/// `Agenda` says the same of one account, item by item.
package enum AgendaStore {
    /// Of assignments, with their therapies and contributions: unanswered, and no device that tells the time itself has told
    /// of it.
    package static let asked: SQL = """
        assignments.notified_at IS NULL AND assignments.opened_at IS NULL AND \(sql: AssignmentStore.isPending)
        AND therapies.ended_at IS NULL AND \(sql: TherapyStore.asksByApp)
        """

    /// Of interventions, with their therapies: unopened.
    package static let given: SQL = """
        interventions.opened_at IS NULL AND interventions.completed_at IS NULL AND interventions.withdrawn_at IS NULL
        AND therapies.ended_at IS NULL
        """

    /// Of appointments, with their therapies.
    package static let awaited: SQL = "appointments.deleted_at IS NULL AND therapies.ended_at IS NULL"
}
