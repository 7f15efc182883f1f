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
    }

    /// The local day that schedules count from.
    var day: LocalDate? { enrolledAt.map { LocalTime($0, zone).date } }

    var wire: Enrolment {
        Enrolment(studyID: studyID, codename: codename, state: state.rawValue, arm: arm?.rawValue)
    }
}
