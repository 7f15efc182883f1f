import Database
import Records
import Therapies
import Web
import Wire
import Wording

/// Every statement about sheets in quarantine.
package enum QuarantineStore {
    /// All of an account's refused sheets, the earliest first.
    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [QuarantinedRecord]
    {
        try connection.all(
            "SELECT * FROM quarantined_sheets WHERE account_id = \(account) ORDER BY received_at, id")
    }

    static func undecided(of account: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            "SELECT count(*) FROM quarantined_sheets WHERE account_id = \(account) AND decision IS NULL")
    }

    static func holds(
        _ fingerprint: [UInt8], of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM quarantined_sheets WHERE account_id = \(account) AND fingerprint = \(fingerprint)")
    }

    static func insert(_ new: NewQuarantined, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO quarantined_sheets (id, account_id, contribution_id, therapy_id, enrolment_id, reason,
                fingerprint, sheet, received_at)
            VALUES (\(new.id), \(new.account), \(new.contribution), \(new.owner.therapy), \(new.owner.enrolment),
                \(new.reason), \(new.fingerprint), \(new.sheet), \(new.receivedAt))
            ON CONFLICT DO NOTHING
            """)
    }

    /// What waits for a decision in a therapy, the newest first.
    package static func waiting(
        inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [QuarantinedRecord] {
        try connection.all(
            """
            SELECT * FROM quarantined_sheets WHERE therapy_id = \(therapy) AND decision IS NULL
            ORDER BY received_at DESC, id
            """)
    }

    /// How much waits in each of a therapist's therapies.
    package static func waiting(
        ofTherapist therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [(codename: String, therapy: ID<Therapy>, count: Int)] {
        try connection.all(
            """
            SELECT therapies.codename, therapies.id, count(*) FROM quarantined_sheets
            JOIN therapies ON therapies.id = quarantined_sheets.therapy_id
            WHERE therapies.therapist_id = \(therapist) AND decision IS NULL
            GROUP BY therapies.codename, therapies.id ORDER BY therapies.codename
            """
        ) { row in (codename: try row[0], therapy: try row[1], count: try row[2]) }
    }

    static func find(
        _ id: ID<QuarantinedRecord>, inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> QuarantinedRecord? {
        try connection.first("SELECT * FROM quarantined_sheets WHERE id = \(id) AND therapy_id = \(therapy)")
    }

    /// How many wait for a decision in a therapy.
    package static func count(inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> Int
    {
        try connection.count(
            "SELECT count(*) FROM quarantined_sheets WHERE therapy_id = \(therapy) AND decision IS NULL")
    }

    /// Notes the decision. Admitted, the sheet stands among the others and goes from here; discarded, it waits to be
    /// brought back.
    /// - Throws: `Problem.conflict` when somebody has decided already.
    static func decide(
        _ decision: QuarantinedRecord.Decision, _ id: ID<QuarantinedRecord>, in therapy: ID<Therapy>,
        by account: ID<Account>,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        let isKept = decision == .discarded
        let nothing: [UInt8] = []
        let changed = try connection.run(
            """
            UPDATE quarantined_sheets SET decision = \(decision), decided_at = \(now), decided_by = \(account),
                sheet = CASE WHEN \(isKept) = 1 THEN sheet ELSE \(nothing) END
            WHERE id = \(id) AND therapy_id = \(therapy) AND decision IS NULL
            """)
        if changed == 0 { throw Problem.conflict(Message("quarantine.decided")) }
    }

    // MARK: Discarded, and brought back

    /// What was discarded in a therapy and can still be brought back, the last one first.
    package static func discarded(
        inTherapy therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [QuarantinedRecord] {
        try connection.all(
            """
            SELECT * FROM quarantined_sheets WHERE therapy_id = \(therapy) AND decision = 'discarded'
            AND decided_at > \(now.adding(days: -Quarantine.returnDays)) AND length(sheet) > 0
            ORDER BY decided_at DESC, id
            """)
    }

    static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<QuarantinedRecord>(uuid: places["sheet"]) else { return nil }
        return try connection.revision(
            "SELECT decision, decided_at FROM quarantined_sheets WHERE id = \(id)")
    }

    /// Lays a discarded sheet before its therapist again.
    /// - Throws: `Problem.gone` after its 30 days, `.conflict` for one that was admitted, or that nobody has decided about.
    static func bringBack(
        _ id: ID<QuarantinedRecord>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            """
            UPDATE quarantined_sheets SET decision = NULL, decided_at = NULL, decided_by = NULL
            WHERE id = \(id) AND therapy_id = \(therapy) AND decision = 'discarded'
            AND decided_at > \(now.adding(days: -Quarantine.returnDays)) AND length(sheet) > 0
            """)
        if changed > 0 { return }
        guard let record = try find(id, inTherapy: therapy, connection) else { throw Problem.notFound }
        throw record.decision == .discarded
            ? Problem.gone(Message("quarantine.gone")) : .conflict(Message("quarantine.not_discarded"))
    }

    /// Sheets that were discarded long enough ago go for good; that there was one stays known, so that a device that
    /// sends it again is not heard again.
    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        let nothing: [UInt8] = []
        try connection.run(
            """
            UPDATE quarantined_sheets SET sheet = \(nothing) WHERE decision = 'discarded'
            AND decided_at <= \(now.adding(days: -Quarantine.returnDays)) AND length(sheet) > 0
            """)
    }

    /// All that came in for a therapy.
    package static func erase(inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM quarantined_sheets WHERE therapy_id = \(therapy)")
    }
}
