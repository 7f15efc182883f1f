import Database
import Records
import Therapies
import Wire
import Wording

/// Every statement about groups of studies, their sites and their sequences.
package enum GroupStore {
    /// The design of a study's groups, and the progress of allocation.
    package struct Stored: Sendable {
        package let groups: TrialDesign
        package let seed: UInt64
        /// Nil for a design of before, which committed itself to nothing.
        package let salt: [UInt8]?
        /// What was told from the beginning: that rule and seed were there. Nil without a salt.
        package let commitment: String?
        /// Of the way in which places are drawn.
        package let ruleVersion: Int
        package let allocated: Int
        /// From then on no participant is allocated any more, and the seed may be disclosed.
        package let closedAt: Instant?
        /// Closed by a rule of before: archiving told the seed, so it stays closed.
        package let isClosedByArchiving: Bool
        /// Counts the changes.
        package let revision: Int
        /// Nil for groups of before there were any, until they are drawn.
        package let labels: MaskedLabels?

        package var isComplete: Bool { allocated >= groups.sampleSize }
    }

    /// What the arm of an enrolment is called: one of the house's three is called as what its therapies do.
    static let key: SQL = "coalesce(arm_key, arm)"

    package static func find(_ study: ID<Study>, _ connection: borrowing Connection) throws -> Stored? {
        let outcomes = try OutcomeStore.all(of: study, connection)
        let taken = try connection.count(
            "SELECT coalesce(sum(taken), 0) FROM study_sequences WHERE study_id = \(study)")
        return try connection.all(
            """
            SELECT allocation, arms, size, sample_size, seed, closed_at, closed_by_archiving, revision, arm_list,
                strata, salt, commitment, rule_version, allocated_at, masked_labels
            FROM study_designs WHERE study_id = \(study)
            """
        ) { row in
            let groups = TrialDesign(
                allocation: try row[0], at: try row[13], arms: try .stored(row[1], column: row[8]),
                size: try row[2], strata: .stored(try row[9]), sampleSize: try row[3], outcomes: outcomes)
            return Stored(
                groups: groups, seed: UInt64(bitPattern: try row[4] as Int64), salt: try row[10],
                commitment: try row[11], ruleVersion: try row[12],
                allocated: taken,
                closedAt: try row[5], isClosedByArchiving: try row[6], revision: try row[7],
                labels: try (row[14] as String?).map { try MaskedLabels(column: $0) })
        }.first
    }

    /// Groups defined again start with another revision, so that a form of the removed ones stays stale.
    /// - Parameters:
    ///   - seed: used only for a study that has none yet.
    ///   - salt: the same, and only before the first participant: a later commitment would be none.
    package static func set(
        _ groups: TrialDesign, of study: ID<Study>, seed: UInt64, salt: [UInt8]? = nil, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let arms = groups.arms.map(\.treatment.rawValue).joined(separator: " ")
        // What was committed to stays from the first participant on; before that it follows what leads change.
        let known = try find(study, connection)
        let isFirst = known?.allocated ?? 0 == 0
        let seed = known?.seed ?? seed
        let salt = known?.salt ?? (isFirst ? salt : nil)
        let commitment = isFirst ? salt.map { groups.commitment(seed: seed, salt: $0) } : known?.commitment
        let version = isFirst ? AllocationRule.version : known?.ruleVersion ?? 1
        let labels = MaskedLabels(drawnFor: groups.arms.map(\.key), keeping: known?.labels)
        let number = Int64(bitPattern: seed)
        try connection.run(
            """
            INSERT INTO study_designs
                (study_id, allocation, allocated_at, arms, arm_list, size, strata, sample_size, seed, salt, commitment,
                rule_version, masked_labels, changed_at, revision)
            VALUES (\(study), \(groups.allocation), \(groups.moment), \(arms), \(try groups.arms.column), \(groups.size),
                \(groups.strata.column), \(groups.sampleSize), \(number), \(salt), \(commitment),
                \(version), \(try labels.column), \(now), \(now.seconds))
            ON CONFLICT (study_id) DO UPDATE SET allocation = excluded.allocation,
                allocated_at = excluded.allocated_at, arms = excluded.arms,
                arm_list = excluded.arm_list, strata = excluded.strata, size = excluded.size,
                sample_size = excluded.sample_size, changed_at = excluded.changed_at,
                salt = excluded.salt, commitment = excluded.commitment,
                rule_version = excluded.rule_version, masked_labels = excluded.masked_labels,
                revision = study_designs.revision + 1
            """)
        try OutcomeStore.set(groups.outcomes, of: study, connection)
    }

    /// Ends allocation for good: from now on the seed may be disclosed.
    package static func close(_ study: ID<Study>, at now: Instant, _ connection: borrowing Connection) throws
    {
        try connection.run(
            """
            UPDATE study_designs SET closed_at = \(now), revision = revision + 1
            WHERE study_id = \(study) AND closed_at IS NULL
            """)
    }

    /// Therapies of those who take part are in their groups again: a study that was archived by mistake, or goes on longer.
    package static func restore(_ study: ID<Study>, _ connection: borrowing Connection) throws {
        let found = try connection.all(
            """
            SELECT therapy_id, arm FROM enrolments WHERE study_id = \(study) AND state = 'enrolled'
            AND arm IS NOT NULL AND therapy_id IS NOT NULL
            """
        ) { row in (therapy: try row[0] as ID<Therapy>, arm: try row[1] as Therapy.Arm) }
        for one in found { try TherapyStore.giveBack(one.arm, to: one.therapy, connection) }
    }

    /// A therapy that begins during a participation gets the participant's group, too.
    package static func adopt(
        _ therapy: ID<Therapy>, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let found = try connection.all(
            """
            SELECT enrolments.id, enrolments.arm FROM enrolments JOIN studies ON studies.id = enrolments.study_id
            WHERE account_id = \(account) AND state = 'enrolled' AND enrolments.arm IS NOT NULL
            AND archived_at IS NULL AND (ends_at IS NULL OR ends_at > \(now)) ORDER BY enrolled_at LIMIT 1
            """
        ) { row in (id: try row[0] as ID<Enrolment>, arm: try row[1] as Therapy.Arm) }.first
        guard let found else { return }
        try connection.run("UPDATE enrolments SET therapy_id = \(therapy) WHERE id = \(found.id)")
        try TherapyStore.setArm(found.arm, of: therapy, connection)
    }

    package static func remove(_ study: ID<Study>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM study_designs WHERE study_id = \(study)")
        try OutcomeStore.set([], of: study, connection)
    }

    // MARK: Sites

    package static func sites(
        of study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [(account: ID<Account>, name: String)] {
        try connection.all(
            "SELECT account_id, name FROM study_sites WHERE study_id = \(study)"
        ) { row in (account: try row[0] as ID<Account>, name: try row[1] as String) }
        .sorted(byName: \.name, then: \.account)
    }

    package static func set(
        sites: [(account: ID<Account>, name: String)], of study: ID<Study>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM study_sites WHERE study_id = \(study)")
        for site in sites {
            try connection.run(
                """
                INSERT INTO study_sites (study_id, account_id, name)
                VALUES (\(study), \(site.account), \(site.name))
                ON CONFLICT (study_id, account_id) DO UPDATE SET name = excluded.name
                """)
        }
    }

    /// The site of a therapist's patients in a study: set by its lead, else by the therapist's account, else nil.
    static func site(
        of therapist: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> String? {
        let site: String?? = try connection.value(
            """
            SELECT coalesce(
                (SELECT name FROM study_sites WHERE study_id = \(study) AND account_id = \(therapist)), site)
            FROM accounts WHERE id = \(therapist)
            """)
        return site ?? nil
    }

    // MARK: Sequences

    /// Takes the next place of a site's sequence.
    /// - Returns: the place, from 0.
    static func take(
        placeOf site: String, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.run(
            """
            INSERT INTO study_sequences (study_id, site, taken) VALUES (\(study), \(site), 1)
            ON CONFLICT (study_id, site) DO UPDATE SET taken = study_sequences.taken + 1
            """)
        return try connection.count(
            "SELECT taken - 1 FROM study_sequences WHERE study_id = \(study) AND site = \(site)")
    }

    package static func set(
        _ arm: StudyArm, site: String?, therapy: ID<Therapy>?, of enrolment: ID<Enrolment>,
        _ connection: borrowing Connection
    ) throws {
        let own = arm.key == StudyArm.Key(arm.treatment) ? nil : arm.key
        try connection.run(
            """
            UPDATE enrolments SET arm = \(arm.treatment), arm_key = \(own), site = \(site), therapy_id = \(therapy)
            WHERE id = \(enrolment)
            """)
        if let therapy { try TherapyStore.setArm(arm.treatment, of: therapy, connection) }
    }

    package static func set(site: String, of enrolment: ID<Enrolment>, _ connection: borrowing Connection)
        throws
    {
        try connection.run("UPDATE enrolments SET site = \(site) WHERE id = \(enrolment)")
    }

    /// The therapy continues without its group.
    static func release(_ enrolment: ID<Enrolment>, _ connection: borrowing Connection) throws {
        let therapy: ID<Therapy>?? = try connection.value(
            "SELECT therapy_id FROM enrolments WHERE id = \(enrolment)")
        if let therapy = therapy ?? nil { try TherapyStore.setArm(nil, of: therapy, connection) }
    }

    /// The therapy continues with another account, without a group.
    package static func part(from therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE enrolments SET therapy_id = NULL WHERE therapy_id = \(therapy)")
        try TherapyStore.setArm(nil, of: therapy, connection)
    }

    /// The arm before leaving: returning does not change it.
    static func earlierArm(
        of account: ID<Account>, in study: ID<Study>, _ groups: TrialDesign,
        _ connection: borrowing Connection
    ) throws -> StudyArm? {
        let key: StudyArm.Key? = try connection.value(
            """
            SELECT \(sql: key) FROM enrolments
            WHERE study_id = \(study) AND account_id = \(account) AND arm IS NOT NULL
            ORDER BY enrolled_at LIMIT 1
            """)
        return key.flatMap { groups.arms[$0] }
    }

    /// Therapies of ended studies get everything again.
    static func releaseEnded(at now: Instant, _ connection: borrowing Connection) throws {
        let over: [ID<Therapy>] = try connection.all(
            """
            SELECT id FROM therapies WHERE arm IS NOT NULL AND NOT EXISTS
                (SELECT 1 FROM enrolments JOIN studies ON studies.id = enrolments.study_id
                WHERE therapy_id = therapies.id AND state = 'enrolled' AND enrolments.arm IS NOT NULL
                AND archived_at IS NULL AND (ends_at IS NULL OR ends_at > \(now)))
            """
        ) { row in try row[0] }
        for therapy in over { try TherapyStore.setArm(nil, of: therapy, connection) }
    }
}
