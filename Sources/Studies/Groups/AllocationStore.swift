import Database
import JSON
import Records
import Wire

/// Every statement about the log of allocations.
package enum AllocationStore {
    /// A line of the log.
    package struct Line: Sendable {
        /// Nil for one of before there was a log.
        package let number: Int?
        /// Nil for participants of whom is told nothing any more.
        package let codename: String?
        package let arm: StudyArm.Key
        package let site: String?
        package let gender: Gender?
        /// Nil where the codename is.
        package let at: Instant?
        /// Nil before there was a log.
        package let draw: AllocationDraw?
        /// The leads that could have known the arm before; those whose accounts are gone are missing.
        package var leads: [ID<Account>] = []
    }

    static func insert(
        _ draw: AllocationDraw, number: Int, of enrolment: ID<Enrolment>, in study: ID<Study>, site: String?,
        gender: Gender?, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let levels = String(decoding: try JSONWriter.bytes(of: draw.levels), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO study_allocations (study_id, number, enrolment_id, arm, site, gender, sequence, place, levels, slot,
                guess, allocated_at)
            VALUES (\(study), \(number), \(enrolment), \(draw.arm), \(site), \(gender), \(draw.sequence), \(draw.place),
                \(levels), \(draw.slot), \(draw.guess), \(now))
            """)
        guard draw.isCertain else { return }
        // Of masked leads those who unmasked a participant: one arm that was learnt may tell the next one.
        try connection.run(
            """
            INSERT INTO study_allocation_leads (study_id, number, account_id)
            SELECT study_id, \(number), account_id FROM study_leads WHERE study_id = \(study) AND (masked = 0
                OR account_id IN (SELECT account_id FROM study_unmaskings WHERE study_id = \(study)))
            """)
    }

    /// What minimisation has drawn so far.
    static func minimisation(
        _ groups: TrialDesign, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> Minimisation {
        var minimisation = Minimisation(groups.arms, strata: groups.strata.count)
        guard groups.allocation == .minimised else { return minimisation }
        let drawn = try connection.all(
            """
            SELECT slot, levels, count(*) FROM study_allocations WHERE study_id = \(study) AND slot IS NOT NULL
            GROUP BY slot, levels
            """
        ) { row in (slot: try row[0] as Int, levels: try row[1] as String, times: try row[2] as Int) }
        for one in drawn {
            minimisation.note(one.slot, levels: try levels(one.levels), times: one.times)
        }
        return minimisation
    }

    /// How many minimisation has allocated to each arm; also those who are erased.
    static func counts(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [StudyArm.Key: Int] {
        try connection.all(
            "SELECT arm, count(*) FROM study_allocations WHERE study_id = \(study) GROUP BY arm"
        ) { row in (arm: try row[0] as StudyArm.Key, count: try row[1] as Int) }
        .reduce(into: [:]) { $0[$1.arm] = $1.count }
    }

    private static func levels(_ column: String) throws -> [String] {
        try JSONReader.value([String].self, from: column.utf8)
    }

    /// The whole log, those from before there was one first.
    package static func all(in study: ID<Study>, _ connection: borrowing Connection) throws -> [Line] {
        let leads = try connection.all(
            "SELECT number, account_id FROM study_allocation_leads WHERE study_id = \(study) ORDER BY number, account_id"
        ) { row in (number: try row[0] as Int, account: try row[1] as ID<Account>) }
        let knowing = Dictionary(grouping: leads, by: \.number).mapValues { $0.map(\.account) }
        let lines = try connection.all(
            """
            SELECT number, codename, study_allocations.arm, study_allocations.site, gender,
                CASE WHEN codename IS NOT NULL THEN allocated_at END, sequence, place, levels, slot, guess
            FROM study_allocations LEFT JOIN
                (SELECT id, codename FROM enrolments WHERE study_id = \(study) AND \(sql: EnrolmentStore.told)) AS told
                ON told.id = enrolment_id
            WHERE study_allocations.study_id = \(study) ORDER BY number
            """
        ) { row in
            let number: Int = try row[0]
            let arm: StudyArm.Key = try row[2]
            let draw = AllocationDraw(
                arm: arm, sequence: try row[6], place: try row[7], levels: try levels(row[8]),
                slot: try row[9], guess: try row[10])
            return Line(
                number: number, codename: try row[1], arm: arm, site: try row[3], gender: try row[4],
                at: try row[5], draw: draw, leads: knowing[number] ?? [])
        }
        return try earlier(in: study, connection) + lines
    }

    /// Each person once, by the first of their enrolments.
    private static func earlier(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [Line] {
        let rows = try connection.all(
            """
            SELECT account_id, codename, \(sql: GroupStore.key), site, enrolled_at FROM enrolments
            WHERE study_id = \(study) AND arm IS NOT NULL AND \(sql: EnrolmentStore.told) AND NOT EXISTS
                (SELECT 1 FROM enrolments AS other JOIN study_allocations ON enrolment_id = other.id
                WHERE other.study_id = \(study) AND other.account_id = enrolments.account_id)
            ORDER BY enrolled_at, id
            """
        ) { row in
            (
                account: try row[0] as ID<Account>,
                line: Line(
                    number: nil, codename: try row[1], arm: try row[2], site: try row[3], gender: nil,
                    at: try row[4], draw: nil)
            )
        }
        var seen: Set<ID<Account>> = []
        return rows.filter { seen.insert($0.account).inserted }.map(\.line)
    }

    /// The line of a participation, without what it was drawn by; nil where there is none.
    package static func find(
        _ enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> Line? {
        try connection.all(
            """
            SELECT number, codename, study_allocations.arm, study_allocations.site, gender, study_allocations.allocated_at
            FROM study_allocations JOIN enrolments ON enrolments.id = enrolment_id WHERE enrolment_id = \(enrolment)
            """
        ) { row in
            Line(
                number: try row[0], codename: try row[1], arm: try row[2], site: try row[3],
                gender: try row[4], at: try row[5], draw: nil)
        }.first
    }

    /// Leaves the lines of an account that is deleted without their moments.
    package static func forget(_ account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE study_allocations SET allocated_at = NULL, enrolment_id = NULL
            WHERE enrolment_id IN (SELECT id FROM enrolments WHERE account_id = \(account))
            """)
    }
}
