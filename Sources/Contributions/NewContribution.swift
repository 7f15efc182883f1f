import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Therapies
import Web
import Wire

/// The local day and the period of it that a daily counts for.
package struct DailySlot: Sendable, Equatable {
    package let day: LocalDate
    package let period: Int

    package init(day: LocalDate, period: Int) {
        self.day = day
        self.period = period
    }
}

/// The prompt of a study that a sheet answers.
package struct AnsweredPrompt: Sendable, Equatable {
    /// Its id among a person's assignments; each is answered once.
    package let id: ID<Assignment>
    /// Nil for a question asked once, without moments.
    package let at: Instant?

    package init(id: ID<Assignment>, at: Instant?) {
        self.id = id
        self.at = at
    }
}

/// An answer sheet to be stored.
package struct NewContribution: Sendable {
    package let id: ID<ContributionRecord>
    package let account: ID<Account>
    /// The owner: exactly one of a therapy and a study.
    package let therapy: ID<Therapy>?
    package let study: ID<Study>?
    /// In a study: the participant's enrolment.
    package let enrolment: ID<Enrolment>?
    /// The assignment that it answers; nil for one without.
    package var assignment: ID<Assignment>?
    package let questionnaire: ID<QuestionnaireVersion>
    package let startedAt: Instant
    package let completedAt: Instant
    package let receivedAt: Instant
    package let zone: DeviceZone
    package let answers: [UInt8]
    package let details: [UInt8]?
    package let answered: Int
    package let asked: Int
    package let scores: [ScaleScore]
    /// Whether one of its answers must be seen (PR-11).
    package let mustBeSeen: Bool
    /// The sending device, by its credential.
    package let device: ID<Credential>?
    package let slot: DailySlot?
    /// The window that it had to be completed in; nil for a sheet of a study.
    private let window: (from: Instant, due: Instant)?
    /// The window of a daily without an assignment, planned by the device itself.
    package var ownWindow: (from: Instant, due: Instant)? {
        slot != nil && assignment == nil ? window : nil
    }
    /// In a study: which of its questionnaires it answers.
    package var item: String?
    /// What it is about, where its participant has noted that with a button.
    package var event: ID<StudyEvent>?
    /// The prompt of a study that it answers; nil for one filled in at will.
    package var prompt: AnsweredPrompt?
    /// In a study: the version of its consent text agreed to at the time of completion.
    package var consentVersion: Int?
    /// Sensors whose values were dropped: the person had switched them off.
    package var sensorsDropped: [String] = []
    /// Filled in behind a link, on any device.
    package var isOnSite = false
    /// The member of staff who entered it from paper; nil for a device's sheet.
    package var enteredBy: ID<Account>?
    /// Admitted from quarantine: when, and by which account.
    package var admission: (at: Instant, by: ID<Account>)?

    /// A sheet of a study.
    package init(
        _ submission: Submission, id: ID<ContributionRecord>, account: ID<Account>, study: ID<Study>,
        enrolment: ID<Enrolment>, item: String,
        _ questionnaire: QuestionnaireRecord, answers: Answers, receivedAt: Instant, device: ID<Credential>?
    ) throws {
        try self.init(
            submission, id: id, account: account, questionnaire, answers, receivedAt: receivedAt,
            device: device, study: study, enrolment: enrolment)
        self.item = item
        event = submission.event
    }

    /// A sheet of a therapy or of a study.
    package init(
        _ submission: Submission, id: ID<ContributionRecord>, account: ID<Account>,
        _ questionnaire: QuestionnaireRecord,
        _ answers: Answers, receivedAt: Instant, device: ID<Credential>?, therapy: ID<Therapy>? = nil,
        study: ID<Study>? = nil, enrolment: ID<Enrolment>? = nil, assignment: ID<Assignment>? = nil,
        slot: DailySlot? = nil,
        window: (from: Instant, due: Instant)? = nil
    ) throws {
        let definition = questionnaire.definition
        self.id = id
        self.account = account
        self.therapy = therapy
        self.study = study
        self.enrolment = enrolment
        self.assignment = assignment
        self.questionnaire = questionnaire.id
        startedAt = submission.startedAt
        completedAt = submission.completedAt
        zone = submission.zone
        self.receivedAt = receivedAt
        self.answers = try definition.canonical(answers)
        details = submission.details
        self.device = device
        self.slot = slot
        self.window = window
        answered = answers.count
        asked =
            definition.isConditional
            ? definition.visibleSections(answers).flatMap(\.questions).count : definition.questions.count
        scores = definition.scores(answers)
        mustBeSeen = !definition.questionsToBeSeen(answers).isEmpty
    }

    /// A score of a daily; nil of any other sheet.
    package func daily(_ scale: String) -> Double? {
        slot == nil ? nil : scores.first { $0.scale == scale }?.value
    }

    /// Whether a stored sheet has the same content.
    package func says(theSameAs existing: ContributionRecord, _ key: PersonKey) throws -> Bool {
        let isSame =
            existing.assignmentID == assignment && existing.studyID == study
            && existing.questionnaireID == questionnaire && (existing.eventID ?? event) == event
            && existing.startedAt.seconds == startedAt.seconds
            && existing.completedAt.seconds == completedAt.seconds && existing.zone.told == zone.told
            && existing.dailyFrom?.seconds == ownWindow?.from.seconds
            && existing.dailyDue?.seconds == ownWindow?.due.seconds
        guard isSame, try existing.answers(key).bytes == answers else { return false }
        return try existing.details(key)?.bytes == details
    }

    /// Its sealed answers. Computed before the transaction that stores it, so that other writes do not wait.
    package func sealed(_ key: PersonKey) -> SealedAnswers {
        SealedAnswers(
            answers: key.seal(bytes: answers, for: ContributionPlace.answers(account, id)),
            details: details.map { key.seal(bytes: $0, for: ContributionPlace.details(account, id)) })
    }
}

/// The answers of a sheet, with their times and sensors, sealed for the person who gave them.
package struct SealedAnswers: Sendable {
    let answers: [UInt8]
    let details: [UInt8]?
}
