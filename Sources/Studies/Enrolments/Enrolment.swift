import Database
import Records
import Scheduling
import Therapies
import Wire

/// A person's participation in a study, or request for it.
package struct EnrolmentRecord: Sendable, FromRow {
    package enum State: String, Sendable, SQLConvertible { case pending, enrolled, declined, left }
    /// Of studies that allocate when the baseline is complete.
    package enum AllocationState: String, Sendable, SQLConvertible { case waiting, allocated }

    package let id: ID<Enrolment>
    package let studyID: ID<Study>
    package let accountID: ID<Account>
    /// The person's name in the study; random, and for this study alone.
    package let codename: String
    package let state: State
    package let askedAt: Instant
    package let enrolledAt: Instant?
    package let leftAt: Instant?
    package let consentVersion: Int
    package let consentedAt: Instant
    package let zone: Zone
    package let lastActivityAt: Instant?
    /// When the participant had their answers removed.
    package let erasedAt: Instant?
    /// The group of a controlled study (IO-21); nil where there are none.
    package private(set) var arm: StudyArm.Key?
    /// What their therapy and their app do in it.
    package private(set) var treatment: Therapy.Arm?
    /// The site where they joined; nil without groups.
    package private(set) var site: String?
    /// When the request was decided; nil when no approval was needed.
    package let decidedAt: Instant?
    /// The day a participant on paper, without an account, signed the consent.
    package let signedOn: LocalDate?
    /// The therapy whose interventions the arm decides about.
    package private(set) var therapyID: ID<Therapy>?
    /// Kinds of own measurements that the participant gives to the study.
    package let measurements: [StudyMeasures.Measure]
    /// The sentence under which they were ticked, and when; nil for older ticks.
    package let sentence: Int
    package let tickedAt: Instant?
    /// Whether the study gets the position, when that was chosen, and the device's last statement; nil: not asked.
    package let location: StudyLocation.Choice?
    package let locationAt: Instant?
    package let locationDevice: StudyLocation.Device?
    /// Nil where allocation was not waited for.
    package let allocationState: AllocationState?
    /// When the baseline was complete, of those who wait or waited.
    package let baselineAt: Instant?
    /// When a participant who waited was allocated.
    package let allocatedAt: Instant?
    /// Since when there are interventions, of a waiting list that crosses over.
    package private(set) var crossedAt: Instant?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        studyID = try row["study_id"]
        accountID = try row["account_id"]
        codename = try row["codename"]
        state = try row["state"]
        askedAt = try row["asked_at"]
        enrolledAt = try row["enrolled_at"]
        leftAt = try row["left_at"]
        consentVersion = try row["consent_version"]
        consentedAt = try row["consented_at"]
        zone = Zone(try row["timezone"])
        lastActivityAt = try row["last_activity_at"]
        erasedAt = try row["erased_at"]
        let treatment: Therapy.Arm? = try row["arm"]
        self.treatment = treatment
        let own: StudyArm.Key? = try row["arm_key"]
        arm = own ?? treatment.map { StudyArm.Key($0) }
        site = try row["site"]
        therapyID = try row["therapy_id"]
        decidedAt = try row["decided_at"]
        signedOn = try row["signed_on"]
        measurements = StudyMeasures.list(column: try row["measurements"])
        sentence = try row["measurements_sentence"]
        tickedAt = try row["measurements_at"]
        location = try row["location"]
        locationAt = try row["location_at"]
        locationDevice = try row["location_device"]
        allocationState = try row["allocation_state"]
        baselineAt = try row["baseline_at"]
        allocatedAt = try row["allocated_at"]
        crossedAt = try row["crossed_at"]
    }

    /// The same with a label for the arm, and without what follows from the arm.
    package func masked(as label: String?) -> EnrolmentRecord {
        var copy = self
        copy.arm = label.map { StudyArm.Key(rawValue: $0) }
        copy.treatment = nil
        copy.site = nil
        copy.crossedAt = nil
        copy.therapyID = nil
        return copy
    }

    /// Whether the study asks its baseline only, as the participant is not allocated yet (ST-5).
    package var waits: Bool { allocationState == .waiting && state == .enrolled }

    /// When the participant waited, or waits; nil where they did not.
    var waitingTime: Range<Instant>? {
        guard let enrolledAt, allocationState != nil else { return nil }
        return enrolledAt..<max(enrolledAt, allocatedAt ?? .distantFuture)
    }

    /// Until when a study is told of the participant's therapy: leaving, or its own end (0051).
    package func end(in study: StudyRecord, at now: Instant) -> Instant {
        min(leftAt ?? now, study.endsAt ?? now, study.archivedAt ?? now, now)
    }

    /// In the words of calls.
    package var allocation: String { waits ? "waiting" : arm != nil ? "allocated" : "none" }

    /// Whether the measurements were ticked under a sentence that bound them to the consent to research, and the
    /// present sentence was not answered yet.
    package var hasEarlierTicks: Bool { !measurements.isEmpty && sentence < StudyMeasures.sentence }

    /// The version of the sentence under which the measurements were chosen; nil before any choice.
    package var chosenSentence: Int? { measurements.isEmpty && tickedAt == nil ? nil : sentence }

    /// Whether nothing of the study is sent to a phone.
    package var isOnPaper: Bool { treatment == .noApp || signedOn != nil }

    /// The local day that schedules count from.
    package var day: LocalDate? { enrolledAt.map { LocalTime($0, zone).date } }

    /// - Parameters:
    ///   - requests: the times of the requests to take part, the latest first.
    ///   - newest: the present version of the study's consent text.
    package func wire(_ requests: [Instant], consent newest: Int) -> Enrolment {
        var wire = Enrolment(
            studyID: studyID.text, codename: codename, state: state.rawValue, arm: arm?.rawValue)
        wire.allocationState = allocation
        wire.askedAt = askedAt
        wire.decidedAt = decidedAt
        wire.consentVersion = consentVersion
        wire.consentedAt = consentedAt
        wire.newestConsentVersion = newest
        wire.measurements = measurements.map(\.rawValue)
        wire.measurementsAt = tickedAt
        wire.location = location?.rawValue
        wire.locationAt = locationAt
        wire.locationDevice = locationDevice?.rawValue
        wire.measurementsVersion = chosenSentence
        if state == .declined, let last = requests.first, requests.count < EnrolmentStore.Request.most {
            wire.mayAskAgainAt = last.adding(days: EnrolmentStore.Request.daysApart)
        }
        return wire
    }
}
