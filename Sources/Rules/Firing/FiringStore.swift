import Contributions
import Database
import Records
import Therapies
import Wire

/// Every statement about firings of rules.
package enum FiringStore {
    /// The last firing of a rule for a patient; nil before the first.
    package static func last(
        of rule: ID<Rule>, for therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Instant? {
        let found: Instant?? = try connection.value(
            "SELECT max(at) FROM rule_firings WHERE rule_id = \(rule) AND therapy_id = \(therapy)")
        return found ?? nil
    }

    /// Whether part of the evidence has not made the rule fire for this patient yet.
    static func hasNews(
        _ facts: [[UInt8]], of rule: ID<Rule>, for therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Bool {
        let known = try connection.count(
            """
            SELECT count(*) FROM rule_evidence WHERE rule_id = \(rule) AND therapy_id = \(therapy)
            AND fact IN \(list: facts)
            """)
        return known < facts.count
    }

    package static func count(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM rule_firings WHERE therapy_id = \(therapy)")
    }

    static func insert(_ new: NewFiring, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO rule_firings (id, rule_id, therapy_id, at, record, contribution_id,
                intervention_id, withheld, in_briefing, mail)
            VALUES (\(new.id), \(new.rule), \(new.therapy), \(new.at), \(new.record),
                \(new.contribution), \(new.intervention), \(new.isWithheld), \(new.isInBriefing), \(new.sendsMail))
            """)
        for fact in new.evidence {
            try connection.run(
                """
                INSERT INTO rule_evidence (rule_id, therapy_id, fact)
                VALUES (\(new.rule), \(new.therapy), \(fact)) ON CONFLICT DO NOTHING
                """)
        }
    }

    /// The firings that sheets have triggered.
    static func all(
        by sheets: [ID<ContributionRecord>], _ connection: borrowing Connection
    ) throws -> [Firing] {
        try connection.all(
            "SELECT * FROM rule_firings WHERE contribution_id IN \(list: sheets) ORDER BY at, id")
    }

    /// A patient's firings, the newest first.
    package static func all(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws -> [Firing] {
        try connection.all(
            "SELECT * FROM rule_firings WHERE therapy_id = \(therapy) ORDER BY at DESC, id")
    }

    /// The lines for a session: the firings of the time before it.
    package static func briefing(
        in therapy: ID<Therapy>, since: Instant, before: Instant = .distantFuture,
        _ connection: borrowing Connection
    ) throws -> [Firing] {
        try connection.all(
            """
            SELECT * FROM rule_firings WHERE therapy_id = \(therapy) AND in_briefing = 1
            AND at >= \(since) AND at < \(before) ORDER BY at DESC, id
            """)
    }

    /// The firings behind the interventions of a period, the newest first.
    package static func behindInterventions(
        in therapy: ID<Therapy>, since: Instant, before: Instant, _ connection: borrowing Connection
    ) throws -> [Firing] {
        try connection.all(
            """
            SELECT rule_firings.* FROM interventions
            JOIN rule_firings ON rule_firings.intervention_id = interventions.id
            WHERE interventions.therapy_id = \(therapy) AND assigned_at >= \(since) AND assigned_at < \(before)
            ORDER BY rule_firings.at DESC, rule_firings.id
            """)
    }

    /// The moment of the `limit`th newest before another moment; nil when there are fewer.
    package static func boundary(
        in therapy: ID<Therapy>, before: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> Instant? {
        try connection.value(
            """
            SELECT at FROM rule_firings WHERE therapy_id = \(therapy) AND at < \(before)
            ORDER BY at DESC LIMIT 1 OFFSET \(limit - 1)
            """)
    }

    /// A rule's firings with the owner's present patients, the newest first.
    package static func all(
        of rule: ID<Rule>, owner: ID<Account>, limit: Int, _ connection: borrowing Connection
    ) throws -> [(firing: Firing, therapy: Therapy)] {
        let firings: [Firing] = try connection.all(
            """
            SELECT rule_firings.* FROM rule_firings JOIN therapies ON therapies.id = rule_firings.therapy_id
            WHERE rule_id = \(rule) AND therapies.therapist_id = \(owner)
            ORDER BY rule_firings.at DESC, rule_firings.id LIMIT \(limit)
            """)
        return try firings.compactMap { firing in
            try TherapyStore.find(firing.therapyID, of: owner, connection).map { (firing, $0) }
        }
    }

    /// How often each of a person's rules has fired, and when last.
    package static func counts(
        of owner: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<Rule>: (count: Int, last: Instant)] {
        let rows = try connection.all(
            """
            SELECT rule_id, count(*), max(at) FROM rule_firings JOIN rules ON rules.id = rule_firings.rule_id
            WHERE rules.owner_id = \(owner) GROUP BY rule_id
            """
        ) { row in (id: try row[0] as ID<Rule>, count: try row[1] as Int, last: try row[2] as Instant) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, ($0.count, $0.last)) })
    }

    // MARK: Mails

    /// Therapists to be mailed, and for which firings.
    static func unmailed(
        _ connection: borrowing Connection
    ) throws -> [(firing: ID<Firing>, therapist: ID<Account>)] {
        try connection.all(
            """
            SELECT rule_firings.id, therapies.therapist_id FROM rule_firings
            JOIN therapies ON therapies.id = rule_firings.therapy_id
            WHERE mail = 1 AND mailed_at IS NULL ORDER BY rule_firings.at LIMIT 500
            """
        ) { row in (firing: try row[0], therapist: try row[1]) }
    }

    /// - Returns: false when they were mailed already.
    static func noteMailed(
        _ firings: [ID<Firing>], at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE rule_firings SET mailed_at = \(now)
            WHERE id IN \(list: firings) AND mailed_at IS NULL
            """) > 0
    }

    /// A therapy's firings, with their interventions and alerts.
    package static func erase(in therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try InterventionStore.eraseGivenByRules(in: therapy, connection)
        try AlertStore.erase(in: therapy, connection)
        try connection.run("DELETE FROM rule_firings WHERE therapy_id = \(therapy)")
        try connection.run("DELETE FROM rule_evidence WHERE therapy_id = \(therapy)")
    }
}

struct NewFiring: Sendable {
    let id: ID<Firing>
    let rule: ID<Rule>
    let therapy: ID<Therapy>
    let at: Instant
    let evidence: [[UInt8]]
    let record: [UInt8]
    /// The sheet that triggered it; nil for the clock.
    let contribution: ID<ContributionRecord>?
    let intervention: ID<Intervention>?
    let isWithheld: Bool
    let isInBriefing: Bool
    let sendsMail: Bool
}
