import Database
import Records
import Therapies
import Web
import Wire

/// Every statement about interventions given to patients.
package enum InterventionStore {
    /// A therapy's interventions, the newest first; withdrawn ones only where asked for.
    package static func all(
        in therapy: ID<Therapy>, withWithdrawn: Bool, _ connection: borrowing Connection
    ) throws -> [InterventionRecord] {
        try connection.all(
            """
            SELECT * FROM interventions WHERE therapy_id = \(therapy)
            AND (\(withWithdrawn) OR withdrawn_at IS NULL) ORDER BY assigned_at DESC, id
            """)
    }

    /// Interventions given in a period, the newest first; withdrawn ones only where asked for.
    package static func given(
        in therapy: ID<Therapy>, since: Instant, before: Instant, withWithdrawn: Bool,
        _ connection: borrowing Connection
    ) throws -> [InterventionRecord] {
        try connection.all(
            """
            SELECT * FROM interventions WHERE therapy_id = \(therapy)
            AND assigned_at >= \(since) AND assigned_at < \(before)
            AND (\(withWithdrawn) OR withdrawn_at IS NULL) ORDER BY assigned_at DESC, id
            """)
    }

    /// The moment of the `limit`th newest before another moment; nil when there are fewer.
    package static func boundary(
        in therapy: ID<Therapy>, before: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> Instant? {
        try connection.value(
            """
            SELECT assigned_at FROM interventions WHERE therapy_id = \(therapy) AND assigned_at < \(before)
            ORDER BY assigned_at DESC LIMIT 1 OFFSET \(limit - 1)
            """)
    }

    /// Includes withdrawn ones.
    package static func find(
        _ id: ID<Intervention>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws
        -> InterventionRecord?
    {
        try connection.first("SELECT * FROM interventions WHERE id = \(id) AND therapy_id = \(therapy)")
    }

    package static func insert(
        _ id: ID<Intervention>, _ kind: InterventionKind, _ text: [UInt8], library: ID<LibraryIntervention>?,
        in therapy: ID<Therapy>,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO interventions (id, therapy_id, library_id, kind, text, assigned_at)
            VALUES (\(id), \(therapy), \(library), \(kind), \(text), \(now))
            """)
    }

    /// Notes a device's report; a time that is set stays.
    package static func note(
        _ report: InterventionReport, _ id: ID<Intervention>, in therapy: ID<Therapy>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE interventions SET opened_at = coalesce(opened_at, \(report.openedAt)),
                completed_at = coalesce(completed_at, \(report.completedAt))
            WHERE id = \(id) AND therapy_id = \(therapy) AND withdrawn_at IS NULL
            """)
    }

    /// - Returns: whether it was still unopened.
    package static func change(
        _ text: [UInt8], _ id: ID<Intervention>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE interventions SET text = \(text) WHERE id = \(id) AND therapy_id = \(therapy)
            AND opened_at IS NULL AND completed_at IS NULL AND withdrawn_at IS NULL
            """) > 0
    }

    /// - Returns: whether it was still unopened.
    package static func withdraw(
        _ id: ID<Intervention>, in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE interventions SET withdrawn_at = \(now) WHERE id = \(id) AND therapy_id = \(therapy)
            AND opened_at IS NULL AND completed_at IS NULL AND withdrawn_at IS NULL
            """) > 0
    }

    /// - Returns: whether it was withdrawn.
    static func bringBack(
        _ id: ID<Intervention>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE interventions SET withdrawn_at = NULL
            WHERE id = \(id) AND therapy_id = \(therapy) AND withdrawn_at IS NOT NULL
            """) > 0
    }

    static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<Intervention>(uuid: places["intervention"]),
            let therapy = ID<Therapy>(uuid: places["patient"])
        else { return nil }
        return try connection.revision(
            """
            SELECT withdrawn_at, opened_at, text FROM interventions
            WHERE id = \(id) AND therapy_id = \(therapy)
            """)
    }

    /// Interventions that rules gave for the answers of an account that was paired by mistake.
    static func eraseGivenByRules(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            DELETE FROM interventions WHERE therapy_id = \(therapy) AND id IN
                (SELECT intervention_id FROM rule_firings WHERE therapy_id = \(therapy))
            """)
    }

    /// Makes the therapist's interventions unopened again, for the right patient.
    package static func startOver(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE interventions SET opened_at = NULL, completed_at = NULL WHERE therapy_id = \(therapy)")
    }
}
