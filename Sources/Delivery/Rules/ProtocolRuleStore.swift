import Database
import Psychometrics
import Records
import Therapies
import Wire

/// Every statement about rules of delivery that come from protocols (PR-17).
package enum ProtocolRuleStore {
    /// A protocol's rules in a therapy, also stopped ones.
    static func all(
        of id: ID<TreatmentProtocol>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [DeliveryRule] {
        try connection.all(
            """
            SELECT * FROM delivery_rules WHERE therapy_id = \(therapy) AND protocol_id = \(id)
            ORDER BY created_at, id
            """)
    }

    /// The protocols that have rules in force in a therapy.
    static func protocols(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [ID<TreatmentProtocol>] {
        try connection.all(
            """
            SELECT DISTINCT protocol_id FROM delivery_rules WHERE therapy_id = \(therapy)
            AND protocol_id IS NOT NULL AND stopped_at IS NULL ORDER BY protocol_id
            """
        ) { row in try row[0] }
    }

    /// Rules in a therapy that protocols have dropped.
    static func dropped(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Set<ID<DeliveryRule>> {
        Set(
            try connection.all(
                "SELECT id FROM delivery_rules WHERE therapy_id = \(therapy) AND stopped_by_protocol = 1"
            ) { row in try row[0] })
    }

    static func insert(
        _ draft: DeliveryRuleDraft, id: ID<DeliveryRule>, of origin: ID<TreatmentProtocol>,
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try DeliveryRuleStore.insert(draft, id: id, in: therapy, at: now, connection)
        try connection.run("UPDATE delivery_rules SET protocol_id = \(origin) WHERE id = \(id)")
    }

    /// Changes rhythm, duration or threshold; in force again if the protocol had dropped it.
    static func change(
        _ id: ID<DeliveryRule>, to draft: DeliveryRuleDraft, _ connection: borrowing Connection
    ) throws {
        let rhythm = draft.rhythm
        let watch = draft.watch
        try connection.run(
            """
            UPDATE delivery_rules SET open_minutes = \(draft.openMinutes), every = \(rhythm?.every),
                unit = \(rhythm?.unit), starts_on = \(rhythm?.startsOn), at_minute = \(rhythm?.atMinute),
                ends_on = \(rhythm?.endsOn), watched_key = \(watch?.key), watched_scale = \(watch?.scale),
                comparison = \(watch?.threshold.comparison.rawValue), threshold = \(watch?.threshold.value),
                rest_days = \(watch?.restDays),
                stopped_at = CASE WHEN stopped_by_protocol = 1 THEN NULL ELSE stopped_at END,
                stopped_by_protocol = 0
            WHERE id = \(id)
            """)
    }

    static func drop(_ id: ID<DeliveryRule>, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE delivery_rules SET stopped_at = \(now), stopped_by_protocol = 1
            WHERE id = \(id) AND stopped_at IS NULL
            """)
    }

    /// Turns a protocol's rule into the patient's own.
    static func detach(
        from id: ID<TreatmentProtocol>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE delivery_rules SET protocol_id = NULL
            WHERE therapy_id = \(therapy) AND protocol_id = \(id) AND stopped_at IS NULL
            """)
    }

    // MARK: Assignments

    /// Whether the patient has begun to answer: it was opened, or the server has a draft of it.
    static func isBegun(_ id: ID<Assignment>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM assignments WHERE id = \(id) AND (opened_at IS NOT NULL OR EXISTS
                (SELECT 1 FROM answer_drafts JOIN therapies ON therapies.account_id = answer_drafts.account_id
                WHERE subject_id = assignments.id AND therapies.id = assignments.therapy_id))
            """)
    }

    /// Moves an assignment to another rule.
    static func adopt(
        _ id: ID<Assignment>, by wanted: PlannedAssignment, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE assignments SET rule_id = \(wanted.rule), battery_id = \(wanted.battery) WHERE id = \(id)"
        )
    }

    /// Assignments made by hand and not withdrawn: by questionnaire, with window and time of assigning.
    static func assignedByHand(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [AssignedByHand] {
        try connection.all(
            """
            SELECT questionnaires.key, available_from, due_at, assigned_at FROM assignments
            JOIN questionnaires ON questionnaires.id = assignments.questionnaire_id
            WHERE assignments.therapy_id = \(therapy) AND rule_id IS NULL AND planned_on IS NULL
            AND withdrawn_at IS NULL
            """
        ) { row in
            AssignedByHand(key: try row[0], from: try row[1], due: try row[2], at: try row[3])
        }
    }
}

struct AssignedByHand: Sendable {
    let key: String
    let from: Instant
    let due: Instant
    let at: Instant
}
