import Database
import Records
import Therapies
import Wire

/// Every statement about rules that apply to a therapy because of a protocol (PR-17).
package enum RuleProtocolStore {
    /// The rules that protocols bring to a therapy, of any owner.
    static func rules(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> [ID<Rule>] {
        try connection.all("SELECT rule_id FROM rule_protocols WHERE therapy_id = \(therapy)") { row in
            try row[0]
        }
    }

    /// Therapies that protocols bring rules to.
    static func therapies(_ connection: borrowing Connection) throws -> Set<ID<Therapy>> {
        Set(try connection.all("SELECT DISTINCT therapy_id FROM rule_protocols") { row in try row[0] })
    }

    /// Whether some protocol brings a rule to a therapy.
    static func isBrought(_ rule: ID<Rule>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM rule_protocols WHERE rule_id = \(rule) LIMIT 1")
    }

    /// Sets the rules that a protocol brings to a therapy.
    package static func set(
        _ rules: [ID<Rule>], of id: ID<TreatmentProtocol>, in therapy: ID<Therapy>,
        _ connection: borrowing Connection
    ) throws {
        let present: [ID<Rule>] = try connection.all(
            "SELECT rule_id FROM rule_protocols WHERE therapy_id = \(therapy) AND protocol_id = \(id)"
        ) { row in try row[0] }
        if Set(present) == Set(rules) { return }
        try connection.run(
            """
            DELETE FROM rule_protocols WHERE therapy_id = \(therapy) AND protocol_id = \(id)
            AND rule_id NOT IN \(list: rules)
            """)
        for rule in Set(rules).subtracting(present).sorted() {
            try connection.run(
                """
                INSERT INTO rule_protocols (therapy_id, rule_id, protocol_id)
                VALUES (\(therapy), \(rule), \(id)) ON CONFLICT DO NOTHING
                """)
        }
    }

    /// Removes the rules of protocols that are not in force any more.
    package static func drop(
        allBut kept: Set<ID<TreatmentProtocol>>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM rule_protocols WHERE therapy_id = \(therapy)
            AND protocol_id NOT IN \(list: kept.sorted())
            """)
    }

    /// When a therapy leaves a protocol, the therapist's own rules stay with it; those of others end.
    package static func keep(
        from id: ID<TreatmentProtocol>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO rule_therapies (therapy_id, rule_id)
            SELECT therapy_id, rule_id FROM rule_protocols JOIN rules ON rules.id = rule_id
            JOIN therapies ON therapies.id = therapy_id AND therapies.therapist_id = rules.owner_id
            WHERE therapy_id = \(therapy) AND protocol_id = \(id) AND for_all = 0
            ON CONFLICT DO NOTHING
            """)
        try connection.run(
            "DELETE FROM rule_protocols WHERE therapy_id = \(therapy) AND protocol_id = \(id)")
    }
}
