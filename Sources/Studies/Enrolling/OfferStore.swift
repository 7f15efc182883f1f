import Database
import Records
import Therapies
import Wire

/// Every statement about studies that therapists offer their patients.
package enum OfferStore {
    package static func offer(
        _ study: ID<Study>, to therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO study_offers (therapy_id, study_id, offered_at) VALUES (\(therapy), \(study), \(now))
            ON CONFLICT (therapy_id) DO UPDATE SET study_id = excluded.study_id, offered_at = excluded.offered_at,
                declined_at = NULL
            """)
    }

    /// The studies a therapist may offer: listed ones, and those whose leads have named the therapist.
    package static func offerable(
        to therapist: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [StudyRecord] {
        let listed = try StudyStore.listed(at: now, connection)
        let known = Set(listed.map(\.id))
        let ids: [ID<Study>] = try connection.all(
            "SELECT study_id FROM study_sites WHERE account_id = \(therapist) ORDER BY study_id"
        ) { row in try row[0] }
        let own = try ids.filter { !known.contains($0) }.compactMap { try StudyStore.find($0, connection) }
        return listed + own.filter { $0.isRunning(at: now) }
    }

    /// The study that an account's running therapy offers.
    package static func study(
        for account: ID<Account>, _ connection: borrowing Connection
    ) throws -> ID<Study>? {
        try connection.value(
            """
            SELECT study_id FROM study_offers JOIN therapies ON therapies.id = study_offers.therapy_id
            WHERE therapies.account_id = \(account) AND therapies.ended_at IS NULL LIMIT 1
            """)
    }

    /// The study that a running therapy offers, while its patient has neither enrolled, asked to, nor declined. A
    /// request that was withdrawn, or declined and acknowledged, counts as an answer, too.
    package static func unanswered(
        by account: ID<Account>, _ connection: borrowing Connection
    ) throws -> StudyRecord? {
        let study: ID<Study>? = try connection.value(
            """
            SELECT study_id FROM study_offers JOIN therapies ON therapies.id = study_offers.therapy_id
            WHERE therapies.account_id = \(account) AND therapies.ended_at IS NULL AND declined_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM enrolments WHERE enrolments.study_id = study_offers.study_id
                AND enrolments.account_id = therapies.account_id)
            AND NOT EXISTS (SELECT 1 FROM study_requests WHERE study_requests.study_id = study_offers.study_id
                AND study_requests.account_id = therapies.account_id)
            LIMIT 1
            """)
        return try study.flatMap { try StudyStore.find($0, connection) }
    }

    /// Notes that the running therapy's offer was declined; the first time counts.
    /// - Returns: false when this study is not offered.
    static func decline(
        _ study: ID<Study>, by account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let changed = try connection.run(
            """
            UPDATE study_offers SET declined_at = coalesce(declined_at, \(now)) WHERE study_id = \(study)
            AND therapy_id IN (SELECT id FROM therapies WHERE account_id = \(account) AND ended_at IS NULL)
            """)
        return changed > 0
    }

    /// Whether a running therapy offers it, without a no so far.
    package static func isOpen(
        _ study: ID<Study>, to account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM study_offers JOIN therapies ON therapies.id = study_offers.therapy_id
            WHERE study_offers.study_id = \(study) AND therapies.account_id = \(account)
            AND therapies.ended_at IS NULL AND declined_at IS NULL LIMIT 1
            """)
    }

    /// An undone pairing removes the answer: the right patient is asked again.
    package static func reopen(_ therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE study_offers SET declined_at = NULL WHERE therapy_id = \(therapy)")
    }

    package static func study(ofTherapy therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> ID<Study>?
    {
        try connection.value("SELECT study_id FROM study_offers WHERE therapy_id = \(therapy)")
    }

    /// The enrolment of a running therapy's patient on paper in the study that it offers; nil without one, in another
    /// group, and after a no to research.
    package static func onPaper(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord? {
        let enrolment: ID<Enrolment>? = try connection.value(
            """
            SELECT enrolments.id FROM study_offers JOIN therapies ON therapies.id = study_offers.therapy_id
            JOIN enrolments ON enrolments.study_id = study_offers.study_id
                AND enrolments.therapy_id = therapies.id
            WHERE study_offers.therapy_id = \(therapy) AND therapies.ended_at IS NULL
            AND enrolments.state = 'enrolled' AND enrolments.arm = \(Therapy.Arm.noApp) LIMIT 1
            """)
        return try enrolment.flatMap { try EnrolmentStore.consenting($0, connection) }
    }

    /// Whether a therapist named by the study's leads offers it to an account.
    package static func isVouchedFor(
        _ account: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM study_offers JOIN therapies ON therapies.id = study_offers.therapy_id
            JOIN study_sites ON study_sites.study_id = study_offers.study_id
                AND study_sites.account_id = therapies.therapist_id
            WHERE study_offers.study_id = \(study) AND therapies.account_id = \(account)
            AND therapies.ended_at IS NULL LIMIT 1
            """)
    }
}
