import Database
import Records
import Therapies
import Wire

/// Every statement about interventions planned for a day.
package enum PlannedInterventionStore {
    /// All of a therapy, also sent and withdrawn ones, in order of their days.
    package static func all(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [PlannedIntervention] {
        try connection.all(
            "SELECT * FROM planned_interventions WHERE therapy_id = \(therapy) ORDER BY day, made_at, id")
    }

    /// Some of the running therapies with waiting ones, in order of their ids.
    static func waiting(
        after id: ID<Therapy>, limit: Int, _ connection: borrowing Connection
    ) throws -> [ID<Therapy>] {
        try connection.all(
            """
            SELECT DISTINCT therapy_id FROM planned_interventions JOIN therapies ON therapies.id = therapy_id
            WHERE sent_at IS NULL AND planned_interventions.withdrawn_at IS NULL AND therapy_id > \(id)
            AND ended_at IS NULL AND account_id IS NOT NULL ORDER BY therapy_id LIMIT \(limit)
            """
        ) { row in try row[0] }
    }

    static func insert(
        _ id: ID<PlannedIntervention>, _ text: ID<LibraryIntervention>, day: Int,
        of origin: ID<TreatmentProtocol>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO planned_interventions (id, therapy_id, protocol_id, library_id, day, made_at)
            VALUES (\(id), \(therapy), \(origin), \(text), \(day), \(now))
            """)
    }

    /// Moves it to this protocol; it waits again if it was withdrawn.
    static func take(
        _ id: ID<PlannedIntervention>, over origin: ID<TreatmentProtocol>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE planned_interventions SET protocol_id = \(origin), withdrawn_at = NULL WHERE id = \(id)
            """)
    }

    static func noteSent(
        _ id: ID<PlannedIntervention>, as intervention: ID<Intervention>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE planned_interventions SET intervention_id = \(intervention), sent_at = \(now)
            WHERE id = \(id) AND sent_at IS NULL
            """)
    }

    /// - Returns: false when it was withdrawn already.
    @discardableResult
    static func withdraw(
        _ id: ID<PlannedIntervention>, in therapy: ID<Therapy>, byHand: Bool, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE planned_interventions SET withdrawn_at = \(now), withdrawn_by_hand = \(byHand)
            WHERE id = \(id) AND therapy_id = \(therapy) AND withdrawn_at IS NULL
            """) > 0
    }

    /// Turns a protocol's one into the patient's own.
    static func detach(
        from id: ID<TreatmentProtocol>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE planned_interventions SET protocol_id = NULL
            WHERE therapy_id = \(therapy) AND protocol_id = \(id) AND withdrawn_at IS NULL
            """)
    }
}
