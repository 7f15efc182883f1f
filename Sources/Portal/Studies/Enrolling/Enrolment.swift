import Database
import Wire

/// That somebody takes part in a study, or has asked to.
struct EnrolmentRecord: Sendable, FromRow {
    enum State: String, Sendable, SQLConvertible { case pending, enrolled, declined, left }

    let id: String
    let studyID: String
    let accountID: String
    /// What the study knows the person by; random, and of this study alone.
    let codename: String
    let state: State
    let askedAt: Instant
    let enrolledAt: Instant?
    let leftAt: Instant?
    let consentVersion: Int
    let consentedAt: Instant
    let zone: Zone
    let lastActivityAt: Instant?
    /// When they asked for their answers to be removed.
    let erasedAt: Instant?
    /// The group of a controlled study (IO-21); nil where there are none.
    let arm: Therapy.Arm?
    /// Where they came in; nil without groups.
    let site: String?
    /// When the request was answered; nil for who needed no leave.
    let decidedAt: Instant?
    /// The day on which somebody signed the consent who takes part on paper alone, without an account of their own.
    let signedOn: LocalDate?
    /// The therapy whose interventions the arm decides about.
    let therapyID: String?

    init(row: borrowing Row) throws {
        (id, studyID, accountID) = (try row["id"], try row["study_id"], try row["account_id"])
        (codename, state) = (try row["codename"], try row["state"])
        (askedAt, enrolledAt, leftAt) = (try row["asked_at"], try row["enrolled_at"], try row["left_at"])
        (consentVersion, consentedAt) = (try row["consent_version"], try row["consented_at"])
        (zone, lastActivityAt) = (Zone(try row["timezone"]), try row["last_activity_at"])
        erasedAt = try row["erased_at"]
        (arm, site, therapyID) = (try row["arm"], try row["site"], try row["therapy_id"])
        decidedAt = try row["decided_at"]
        signedOn = try row["signed_on"]
    }

    /// Whether nothing of the study reaches a phone.
    var isOnPaper: Bool { arm == .noApp || signedOn != nil }

    /// The local day that schedules count from.
    var day: LocalDate? { enrolledAt.map { LocalTime($0, zone).date } }

    /// - Parameter requests: when they asked to take part, the last first.
    func wire(_ requests: [Instant]) -> Enrolment {
        var wire = Enrolment(studyID: studyID, codename: codename, state: state.rawValue, arm: arm?.rawValue)
        wire.askedAt = askedAt
        wire.decidedAt = decidedAt
        if state == .declined, let last = requests.first, requests.count < EnrolmentStore.Request.most {
            wire.mayAskAgainAt = last.adding(days: EnrolmentStore.Request.daysApart)
        }
        return wire
    }
}
