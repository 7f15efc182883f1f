import Database
import Records
import Wire

/// Every statement about the flow of a study's participants.
package enum FlowStore {
    /// Everybody is counted once: by the best of their enrolments, for who left and came back has several.
    /// - Parameter allocated: how many came into groups, for the flow of these alone; nil for everybody.
    package static func flow(
        of study: ID<Study>, allocated: Int? = nil, _ connection: borrowing Connection
    ) throws -> StudyFlow {
        let inGroups = allocated != nil ? 1 : 0
        let people: [Int: Int] = try connection.all(
            """
            SELECT standing, count(*) FROM (
                SELECT account_id, \(sql: standing) AS standing
                FROM enrolments WHERE study_id = \(study) AND enrolled_at IS NOT NULL
                AND (\(inGroups) = 0 OR arm IS NOT NULL) GROUP BY account_id) AS people
            GROUP BY standing
            """
        ) { row in (standing: try row[0] as Int, count: try row[1] as Int) }
        .reduce(into: [:]) { $0[$1.standing] = $1.count }
        var flow = StudyFlow(people)
        flow.erased = try allocated.map { max(0, $0 - flow.total) } ?? erased(of: study, connection)
        return flow
    }

    /// The best standing of one person's enrolments, as `StudyFlow` numbers them.
    static let standing: SQL = """
        min(CASE WHEN erased_at IS NOT NULL THEN 3 WHEN NOT (\(sql: EnrolmentStore.told)) THEN 2
            WHEN state = 'left' THEN 1 ELSE 0 END)
        """

    /// How many were taken in, by the hour, the earliest first: each at the first time, however often they came back.
    /// - Parameter inGroups: only those who came into groups.
    package static func begins(
        of study: ID<Study>, inGroups: Bool, _ connection: borrowing Connection
    ) throws -> [(at: Instant, people: Int)] {
        let chosen = inGroups ? 1 : 0
        return try connection.all(
            """
            SELECT began / 3600000, count(*) FROM (
                SELECT min(enrolled_at) AS began FROM enrolments
                WHERE study_id = \(study) AND enrolled_at IS NOT NULL AND (\(chosen) = 0 OR arm IS NOT NULL)
                GROUP BY account_id) AS people
            GROUP BY 1 ORDER BY 1
            """
        ) { row in (at: Instant(milliseconds: (try row[0] as Int64) * 3_600_000), people: try row[1]) }
    }

    private static func erased(of study: ID<Study>, _ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT erased_people FROM studies WHERE id = \(study)")
    }

    /// Keeps only the number of enrolments of an account that is deleted.
    package static func noteErasure(of account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE studies SET erased_people = erased_people + 1 WHERE id IN
                (SELECT study_id FROM enrolments WHERE account_id = \(account) AND enrolled_at IS NOT NULL)
            """)
    }
}

extension StudyStore {
    /// How many are in each state, by state; without those who are told of no more.
    package static func counts(_ id: ID<Study>, _ connection: borrowing Connection) throws -> [String: Int] {
        let rows = try connection.all(
            """
            SELECT state, count(*) FROM enrolments WHERE study_id = \(id)
            AND (enrolled_at IS NULL OR (\(sql: EnrolmentStore.told))) GROUP BY state
            """
        ) { row in (state: try row[0] as String, count: try row[1] as Int) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.state, $0.count) })
    }
}

extension EnrolmentStore {
    /// Whether a study may be told of a participant's therapy: consent to research is in force, and was when they left. A yes of later is one
    /// to what they take part in then.
    package static func agreesToResearch(
        _ enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> Bool {
        guard try hasResearchConsent(enrolment.accountID, connection) else { return false }
        if enrolment.state != .left { return true }
        return try connection.exists(
            """
            SELECT 1 FROM (SELECT research_consent FROM consent_choices WHERE account_id = \(enrolment.accountID)
                AND consent_choices.id <= (SELECT coalesce(left_after, consent_choices.id) FROM enrolments
                    WHERE enrolments.id = \(enrolment.id))
                ORDER BY id DESC LIMIT 1) AS newest WHERE research_consent = 1
            """)
    }

    /// Whether a request waits for its leads.
    package static func isAsked(_ study: ID<Study>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM enrolments WHERE study_id = \(study) AND state = 'pending' LIMIT 1")
    }
}
