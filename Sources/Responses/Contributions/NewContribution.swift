import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Therapies
import Wire
import Wording

/// What a sheet is taken for: therapy, questionnaire, the window it had to be completed in.
package struct TherapyTarget: Sendable {
    package private(set) var therapy: Therapy
    package let questionnaire: QuestionnaireRecord
    package let opens: Instant
    package let closes: Instant
    /// Nil for a daily of the device's own.
    package let assignment: AssignmentRecord?
    /// Of a daily: the local day and period it counts for.
    package let slot: Slot?

    package struct Slot: Sendable, Equatable {
        package let day: LocalDate
        package let period: Int
    }

    package init(_ assignment: AssignmentRecord, _ therapy: Therapy, _ questionnaire: QuestionnaireRecord) {
        self.assignment = assignment
        self.therapy = therapy
        self.questionnaire = questionnaire
        opens = assignment.availableFrom
        closes = assignment.dueAt
        slot = assignment.plannedOn.flatMap { day in
            assignment.period.map { Slot(day: day, period: $0) }
        }
    }

    /// The same with the therapy as it is now.
    package func with(_ therapy: Therapy) -> TherapyTarget {
        var target = self
        target.therapy = therapy
        return target
    }

    /// From paper, without an assignment: it may have been filled in whenever.
    package init(paper questionnaire: QuestionnaireRecord, _ therapy: Therapy) {
        assignment = nil
        self.therapy = therapy
        self.questionnaire = questionnaire
        opens = .distantPast
        closes = .distantFuture
        slot = nil
    }

    /// - Throws: `Problem.invalid` when the window does not begin in one of the day's three periods.
    package init(
        daily from: Instant, _ due: Instant, timezone: String, _ therapy: Therapy,
        _ questionnaire: QuestionnaireRecord
    ) throws(Problem) {
        let local = LocalTime(from, Zone(timezone))
        guard let period = DailyPlan.period(of: local) else {
            throw .invalid("daily.available_from", "answers.daily_period")
        }
        assignment = nil
        self.therapy = therapy
        self.questionnaire = questionnaire
        opens = from
        closes = due
        slot = Slot(day: local.date, period: period)
    }
}

/// The prompt of a study that a sheet answers.
package struct AnsweredPrompt: Sendable, Equatable {
    /// What it is called among a person's assignments; each is answered once.
    package let id: ID<Assignment>
    /// Nil for what is asked without moments, once and for all.
    package let at: Instant?

    package init(id: ID<Assignment>, at: Instant?) {
        self.id = id
        self.at = at
    }
}

/// An answer sheet about to be stored.
package struct NewContribution: Sendable {
    package let id: ID<ContributionRecord>
    package let account: ID<Account>
    /// What it belongs to: exactly one of a therapy and a study.
    package let therapy: ID<Therapy>?
    package let study: ID<Study>?
    /// Of a study: as whom it was answered.
    package let enrolment: ID<Enrolment>?
    /// The assignment that it answers; nil for one that stands for itself.
    package var assignment: ID<Assignment>?
    package let questionnaire: ID<QuestionnaireVersion>
    package let startedAt: Instant
    package let completedAt: Instant
    package let receivedAt: Instant
    package let timezone: String
    package let answers: [UInt8]
    package let details: [UInt8]?
    package let answered: Int
    package let asked: Int
    package let scores: [ScaleScore]
    /// Whether one of its answers has to be seen (PR-11).
    package let mustBeSeen: Bool
    /// The device it came from, by its credential.
    package let device: ID<Credential>?
    package let slot: TherapyTarget.Slot?
    /// The window that it had to be completed in; nil for a sheet of a study.
    private let window: (from: Instant, due: Instant)?
    /// The window of a daily that answers no assignment: the device planned it itself.
    package var ownWindow: (from: Instant, due: Instant)? {
        slot != nil && assignment == nil ? window : nil
    }
    /// The prompt of a study that it answers; nil for one filled in at will.
    package var prompt: AnsweredPrompt?
    /// Of a study: which version of its consent text had been agreed to when it was completed.
    package var consentVersion: Int?
    /// Sensors whose values were dropped: the person had switched them off.
    package var sensorsDropped: [String] = []
    /// Filled in behind a link, on whatever device lay there.
    package var isOnSite = false
    /// Who of the staff entered it from paper; nil for what a device sent.
    package var enteredBy: ID<Account>?
    /// Let in from quarantine: when, and by whom.
    package var admission: (at: Instant, by: ID<Account>)?

    package init(
        _ submission: Submission, id: ID<ContributionRecord>, account: ID<Account>, target: TherapyTarget,
        answers: Answers,
        receivedAt: Instant, device: ID<Credential>? = nil
    ) throws {
        try self.init(
            submission, id: id, account: account, target.questionnaire, answers, receivedAt: receivedAt,
            device: device, therapy: target.therapy.id,
            assignment: target.assignment?.id, slot: target.slot,
            window: (from: target.opens, due: target.closes))
    }

    /// A sheet of a study.
    package init(
        _ submission: Submission, id: ID<ContributionRecord>, account: ID<Account>, study: ID<Study>,
        enrolment: ID<Enrolment>,
        _ questionnaire: QuestionnaireRecord, answers: Answers, receivedAt: Instant, device: ID<Credential>?
    ) throws {
        try self.init(
            submission, id: id, account: account, questionnaire, answers, receivedAt: receivedAt,
            device: device, study: study, enrolment: enrolment)
    }

    private init(
        _ submission: Submission, id: ID<ContributionRecord>, account: ID<Account>,
        _ questionnaire: QuestionnaireRecord,
        _ answers: Answers, receivedAt: Instant, device: ID<Credential>?, therapy: ID<Therapy>? = nil,
        study: ID<Study>? = nil, enrolment: ID<Enrolment>? = nil, assignment: ID<Assignment>? = nil,
        slot: TherapyTarget.Slot? = nil,
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
        timezone = submission.timezone
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

    /// Whether a stored sheet says the same as this one.
    package func says(theSameAs existing: ContributionRecord, _ key: PersonKey) throws -> Bool {
        let isSame =
            existing.assignmentID == assignment && existing.studyID == study
            && existing.questionnaireID == questionnaire
            && existing.startedAt.seconds == startedAt.seconds
            && existing.completedAt.seconds == completedAt.seconds && existing.timezone == timezone
            && existing.dailyFrom?.seconds == ownWindow?.from.seconds
            && existing.dailyDue?.seconds == ownWindow?.due.seconds
        guard isSame, try existing.answers(key).bytes == answers else { return false }
        return try existing.details(key)?.bytes == details
    }

    /// Its answers as they are kept. Done before the transaction that stores it, so that nobody waits for it there.
    package func sealed(_ key: PersonKey) -> SealedAnswers {
        SealedAnswers(
            answers: key.seal(bytes: answers, for: ContributionPlace.answers(account, id)),
            details: details.map { key.seal(bytes: $0, for: ContributionPlace.details(account, id)) })
    }
}

/// The answers of a sheet, and the times and sensors that came with them, sealed for the person who gave them.
package struct SealedAnswers: Sendable {
    let answers: [UInt8]
    let details: [UInt8]?
}
