import Database
import HTTP
import Records
import Web
import Wire
import Wording

/// Every statement about participants of studies.
package enum EnrolmentStore {
    /// The revision of the caller's enrolment in the study of the path; every rewritten column changes it.
    static let revision: RevisionOf = { places, account, connection in
        guard let study = ID<Study>(uuid: places["study"]) else { return nil }
        return try connection.revision(
            """
            SELECT *, (SELECT max(version) FROM study_consents WHERE study_consents.study_id = enrolments.study_id)
            FROM enrolments WHERE account_id = \(account) AND study_id = \(study)
            ORDER BY asked_at DESC LIMIT 1
            """)
    }

    /// An account's present enrolment, else the last one.
    package static func find(
        in study: ID<Study>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord? {
        try connection.first(
            """
            SELECT * FROM enrolments WHERE study_id = \(study) AND account_id = \(account)
            ORDER BY state IN ('pending', 'enrolled') DESC, asked_at DESC, id LIMIT 1
            """)
    }

    /// An account's enrolment at a moment; nil before the first one.
    package static func find(
        in study: ID<Study>, of account: ID<Account>, at moment: Instant, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord? {
        // Whole seconds, the precision of phones.
        let second = Instant(milliseconds: moment.seconds * 1000 + 999)
        return try connection.first(
            """
            SELECT * FROM enrolments WHERE study_id = \(study) AND account_id = \(account)
            AND enrolled_at <= \(second) ORDER BY enrolled_at DESC, id LIMIT 1
            """)
    }

    package static func find(
        _ codename: String, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord? {
        try connection.first("SELECT * FROM enrolments WHERE study_id = \(study) AND codename = \(codename)")
    }

    package static func find(id: ID<Enrolment>, _ connection: borrowing Connection) throws -> EnrolmentRecord?
    {
        try connection.first("SELECT * FROM enrolments WHERE id = \(id)")
    }

    /// All of a study, the latest requests first.
    package static func all(in study: ID<Study>, _ connection: borrowing Connection) throws
        -> [EnrolmentRecord]
    {
        try connection.all("SELECT * FROM enrolments WHERE study_id = \(study) ORDER BY asked_at DESC, id")
    }

    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [EnrolmentRecord]
    {
        try connection.all("SELECT * FROM enrolments WHERE account_id = \(account) ORDER BY asked_at, id")
    }

    /// The enrolments whose data may be disclosed, by the latest choice of each person on each study: enrolling is a
    /// yes to that study, a no to research is a no to all studies from then on, and a yes to research is one again to
    /// those they still take part in. The one rule of consent (IO-17, IO-20): every view, comparison and export reads
    /// it here.
    package static let told: SQL = """
        state IN ('enrolled', 'left') AND erased_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM consent_choices AS refusal WHERE refusal.account_id = enrolments.account_id
            AND refusal.research_consent = 0 AND refusal.id > agreed_after AND NOT EXISTS (
                SELECT 1 FROM consent_choices AS renewal WHERE renewal.account_id = refusal.account_id
                AND renewal.research_consent = 1 AND renewal.id > refusal.id
                AND (left_after IS NULL OR renewal.id <= left_after)))
        """

    /// One whose data may be disclosed; nil when it may not, or no longer.
    package static func consenting(_ id: ID<Enrolment>, _ connection: borrowing Connection) throws
        -> EnrolmentRecord?
    {
        try connection.first("SELECT * FROM enrolments WHERE id = \(id) AND \(sql: told)")
    }

    /// The number of an account's last choice on research: later ones are larger, whatever the clock.
    static func lastChoice(of account: ID<Account>) -> SQL {
        "coalesce((SELECT max(id) FROM consent_choices WHERE account_id = \(account)), 0)"
    }

    /// The rule of consent is applied on every read.
    package static func consenting(in study: ID<Study>, _ connection: borrowing Connection) throws
        -> [EnrolmentRecord]
    {
        try connection.all(
            "SELECT * FROM enrolments WHERE study_id = \(study) AND \(sql: told) ORDER BY codename")
    }

    /// Whether the study ever had a participant.
    package static func hasAny(in study: ID<Study>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM enrolments WHERE study_id = \(study) AND enrolled_at IS NOT NULL LIMIT 1")
    }

    /// Whether an account's consent to research is in force.
    package static func hasResearchConsent(_ account: ID<Account>, _ connection: borrowing Connection) throws
        -> Bool
    {
        try connection.exists(
            """
            SELECT 1 FROM (SELECT research_consent FROM consent_choices WHERE account_id = \(account)
                ORDER BY id DESC LIMIT 1) AS newest WHERE research_consent = 1
            """)
    }

    /// How many people took part and have withdrawn their consent since. A participant that came back counts once, one that left with
    /// everything they gave has withdrawn nothing: there is nothing of them.
    package static func withheld(in study: ID<Study>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(DISTINCT account_id) FROM enrolments WHERE study_id = \(study) AND enrolled_at IS NOT NULL
            AND erased_at IS NULL AND NOT (\(sql: told)) AND account_id NOT IN
                (SELECT account_id FROM enrolments WHERE study_id = \(study) AND \(sql: told))
            """)
    }

    /// How many people left and had everything removed that they gave, and did not come back.
    package static func removed(in study: ID<Study>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(DISTINCT account_id) FROM enrolments WHERE study_id = \(study) AND erased_at IS NOT NULL
            AND account_id NOT IN (SELECT account_id FROM enrolments WHERE study_id = \(study)
                AND enrolled_at IS NOT NULL AND erased_at IS NULL)
            """)
    }

    /// - Parameter isTold: whether the agreement named the version of the consent text.
    /// - Returns: false when the codename is taken in this study.
    package static func insert(
        id: ID<Enrolment>, in study: ID<Study>, account: ID<Account>, codename: String, isPending: Bool,
        consent version: Int, way: AgreedConsent.Way, isTold: Bool? = nil,
        timezone: String, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let state = isPending ? EnrolmentRecord.State.pending : .enrolled
        // Not refused and caught: a refusal ends the transaction on PostgreSQL, and the caller tries another codename in it.
        let added = try connection.run(
            """
            INSERT INTO enrolments (id, study_id, account_id, codename, state, asked_at, enrolled_at,
                consent_version, consented_at, timezone, agreed_after)
            VALUES (\(id), \(study), \(account), \(codename), \(state), \(now), \(isPending ? nil : now),
                \(version), \(now), \(timezone), \(sql: lastChoice(of: account)))
            ON CONFLICT (study_id, codename) DO NOTHING
            """)
        if added == 0 { return false }
        try AgreedConsentStore.insert(version, of: id, way, isTold: isTold, at: now, connection)
        return true
    }

    /// Notes a participant's consent to a newer text.
    static func agree(
        _ id: ID<Enrolment>, to version: Int, _ way: AgreedConsent.Way, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE enrolments SET consent_version = \(version), consented_at = \(now) WHERE id = \(id)")
        try AgreedConsentStore.insert(version, of: id, way, isTold: true, at: now, connection)
    }

    /// Whether a codename is still free in this installation.
    package static func isFree(_ codename: String, _ connection: borrowing Connection) throws -> Bool {
        try !connection.exists(
            """
            SELECT 1 FROM enrolments WHERE codename = \(codename)
            UNION ALL SELECT 1 FROM therapies WHERE codename = \(codename) LIMIT 1
            """)
    }

    /// Notes the day on which a participant without an account signed the consent.
    package static func note(
        signedOn day: LocalDate, of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE enrolments SET signed_on = \(day) WHERE id = \(enrolment)")
    }

    // MARK: Requests

    /// Requests to take part are limited: at most three in all, and seven days apart.
    package enum Request {
        static let most = 3
        static let daysApart: Int64 = 7
    }

    /// The times of an account's requests, the latest first; withdrawn ones included.
    package static func requests(
        of account: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [Instant] {
        try connection.all(
            """
            SELECT asked_at FROM study_requests WHERE account_id = \(account) AND study_id = \(study)
            ORDER BY asked_at DESC
            """
        ) { row in try row[0] }
    }

    static func noteRequest(
        of account: ID<Account>, in study: ID<Study>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO study_requests (study_id, account_id, asked_at) VALUES (\(study), \(account), \(now))
            ON CONFLICT (study_id, account_id, asked_at) DO NOTHING
            """)
    }

    /// - Throws: `Problem.conflict` when it was decided already.
    package static func decide(
        _ id: ID<Enrolment>, isAccepted: Bool, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let state = isAccepted ? EnrolmentRecord.State.enrolled : .declined
        let changed = try connection.run(
            """
            UPDATE enrolments SET state = \(state), enrolled_at = \(isAccepted ? now : nil), decided_at = \(now)
            WHERE id = \(id) AND state = 'pending'
            """)
        if changed == 0 { throw Problem.conflict(Message("studies.decided")) }
    }

    /// Whether an account has agreed to a study after a choice about research.
    static func hasAgreed(
        _ account: ID<Account>, after choice: Int, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM enrolments WHERE account_id = \(account) AND agreed_after >= \(choice)")
    }

    package static func noteActivity(_ id: ID<Enrolment>, at now: Instant, _ connection: borrowing Connection)
        throws
    {
        try connection.run(
            """
            UPDATE enrolments SET last_activity_at = \(now)
            WHERE id = \(id) AND (last_activity_at IS NULL OR last_activity_at < \(now))
            """)
    }
}
