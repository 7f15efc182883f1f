import Database
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// The desk on which a refused sheet waits for a decision: of a therapist, or of the leads of a study.
package enum QuarantineDesk: Sendable {
    case therapy(ID<Therapy>)
    /// Only of participants whose data may be disclosed.
    case study(ID<Study>)

    var condition: SQL {
        switch self {
        case .therapy(let id): "therapy_id = \(id)"
        case .study(let id):
            "enrolment_id IN (SELECT id FROM enrolments WHERE study_id = \(id) AND \(sql: EnrolmentStore.told))"
        }
    }
}

/// Every statement about sheets in quarantine.
package enum QuarantineStore {
    /// All of an account's refused sheets, the earliest first.
    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [QuarantinedRecord]
    {
        try connection.all(
            "SELECT * FROM quarantined_sheets WHERE account_id = \(account) ORDER BY received_at, id")
    }

    /// What waits undecided of the account of a new one: the number of those that came after an end or a grace, or of all others, as the
    /// new one did; and the bytes at its kind of desk.
    static func undecided(
        beside new: NewQuarantined, _ connection: borrowing Connection
    ) throws -> (count: Int, bytes: Int) {
        let found = try connection.first(
            """
            SELECT count(CASE WHEN after_end = \(new.isAfterEnd) THEN 1 END),
                coalesce(sum(CASE WHEN (enrolment_id IS NULL) = (CAST(\(new.owner.enrolment) AS TEXT) IS NULL)
                    THEN length(sheet) END), 0)
            FROM quarantined_sheets WHERE account_id = \(new.account) AND decision IS NULL
            """
        ) { row -> (count: Int, bytes: Int) in (count: try row[0], bytes: try row[1]) }
        return found ?? (0, 0)
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
                after_end, fingerprint, sheet, event_id, received_at)
            VALUES (\(new.id), \(new.account), \(new.contribution), \(new.owner.therapy), \(new.owner.enrolment),
                \(new.storedReason), \(new.isAfterEnd), \(new.fingerprint), \(new.sheet), \(new.event),
                \(new.receivedAt))
            ON CONFLICT DO NOTHING
            """)
    }

    /// Those that wait for a decision, the newest first.
    static func waiting(
        at desk: QuarantineDesk, after last: Position?, limit: Int, _ connection: borrowing Connection
    ) throws -> [QuarantinedRecord] {
        let at = last?.at ?? .max
        let id = last?.id ?? ""
        return try connection.all(
            """
            SELECT * FROM quarantined_sheets WHERE \(sql: desk.condition) AND decision IS NULL
            AND (received_at < \(at) OR (received_at = \(at) AND id > \(id)))
            ORDER BY received_at DESC, id LIMIT \(limit)
            """)
    }

    /// The number that wait in each of a therapist's therapies.
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
        _ id: ID<QuarantinedRecord>, at desk: QuarantineDesk, _ connection: borrowing Connection
    ) throws -> QuarantinedRecord? {
        try connection.first(
            "SELECT * FROM quarantined_sheets WHERE id = \(id) AND \(sql: desk.condition)")
    }

    /// The number that wait for a decision.
    package static func count(at desk: QuarantineDesk, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            "SELECT count(*) FROM quarantined_sheets WHERE \(sql: desk.condition) AND decision IS NULL")
    }

    /// Notes the decision. An admitted sheet is stored among the others; a discarded one can be brought back.
    /// - Throws: `Problem.conflict` when it was decided already, or its data may not be disclosed any more.
    static func decide(
        _ decision: QuarantinedRecord.Decision, _ id: ID<QuarantinedRecord>, at desk: QuarantineDesk,
        by account: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws {
        let isKept = decision == .discarded
        let nothing: [UInt8] = []
        let changed = try connection.run(
            """
            UPDATE quarantined_sheets SET decision = \(decision), decided_at = \(now), decided_by = \(account),
                sheet = CASE WHEN \(isKept) = 1 THEN sheet ELSE \(nothing) END
            WHERE id = \(id) AND decision IS NULL AND \(sql: desk.condition)
            """)
        if changed == 0 { throw Problem.conflict(Message("quarantine.decided")) }
    }

    // MARK: Discarding and bringing back

    /// Discarded, and still to be brought back.
    private static func isReturnable(_ now: Instant) -> SQL {
        "decision = 'discarded' AND decided_at > \(now.adding(days: -Quarantine.returnDays)) AND length(sheet) > 0"
    }

    /// Discarded ones that can still be brought back, the latest first.
    static func discarded(
        at desk: QuarantineDesk, now: Instant, after last: Position?, limit: Int,
        _ connection: borrowing Connection
    ) throws -> [QuarantinedRecord] {
        let at = last?.at ?? .max
        let id = last?.id ?? ""
        return try connection.all(
            """
            SELECT * FROM quarantined_sheets WHERE \(sql: desk.condition) AND \(sql: isReturnable(now))
            AND (decided_at < \(at) OR (decided_at = \(at) AND id > \(id)))
            ORDER BY decided_at DESC, id LIMIT \(limit)
            """)
    }

    /// The number of discarded ones that can still be brought back.
    package static func countDiscarded(
        at desk: QuarantineDesk, now: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            "SELECT count(*) FROM quarantined_sheets WHERE \(sql: desk.condition) AND \(sql: isReturnable(now))"
        )
    }

    static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<QuarantinedRecord>(uuid: places["sheet"]) else { return nil }
        return try connection.revision(
            "SELECT decision, decided_at FROM quarantined_sheets WHERE id = \(id)")
    }

    /// Makes a discarded sheet wait for a decision again.
    /// - Throws: `Problem.notFound` for one that waits elsewhere, `.gone` after its 30 days, `.conflict` for an admitted
    ///   or undecided one.
    static func bringBack(
        _ id: ID<QuarantinedRecord>, at desk: QuarantineDesk, now: Instant, _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            """
            UPDATE quarantined_sheets SET decision = NULL, decided_at = NULL, decided_by = NULL
            WHERE id = \(id) AND \(sql: desk.condition) AND \(sql: isReturnable(now))
            """)
        if changed > 0 { return }
        guard let record = try find(id, at: desk, connection) else { throw Problem.notFound }
        throw record.decision == .discarded
            ? Problem.gone(Message("quarantine.gone")) : .conflict(Message("quarantine.not_discarded"))
    }

    /// Empties sheets that cannot be brought back any more; the rows stay, to ignore the same sheet sent again.
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

    /// An account's sheets for a study, from every time it took part.
    static func erase(
        of account: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            DELETE FROM quarantined_sheets WHERE account_id = \(account) AND enrolment_id IN
                (SELECT id FROM enrolments WHERE study_id = \(study))
            """)
    }
}
