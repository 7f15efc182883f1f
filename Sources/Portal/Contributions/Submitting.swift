import Database
import HTTP
import Secrets
import Wire

/// Takes an answer sheet in: window, answers, scores, and one durable transaction. Sending the same again is
/// harmless (IO-10).
enum Submitting {
    /// - Returns: the stored sheet, and whether it is new.
    static func take(
        _ submission: Submission, id: String, of account: AccountRecord, _ c: Context<Member>
    ) throws -> (record: ContributionRecord, isNew: Bool) {
        let found = try c.read { connection in try target(of: submission, account, c, connection) }
        let definition = found.questionnaire.definition
        let answers: Answers
        do {
            answers = try definition.readAnswers(submission.answers)
        } catch {
            throw Problem.invalid(error)
        }
        try check(submission.answeredAt, definition)
        let key = try account.key(c.keys)
        let sheet = Sheet(
            submission, id: id, account: account.id, therapy: found.assignment.therapyID,
            questionnaire: found.questionnaire,
            answers: answers, canonical: try definition.canonical(answers), receivedAt: c.now)
        if let existing = try c.read({ try ContributionStore.find(id, of: account.id, $0) }) {
            return (try sheet.compared(with: existing, key), false)
        }
        try checkWindow(submission, found.assignment, found.therapy, now: c.now)
        return try c.write(.contributionReceived, about: found.assignment.therapyID, object: id) {
            connection in
            if let existing = try ContributionStore.find(id, of: account.id, connection) {
                return (try sheet.compared(with: existing, key), false)
            }
            try ContributionStore.insert(sheet, key, connection)
            try TherapyStore.noteActivity(in: sheet.therapy, at: sheet.receivedAt, connection)
            guard let stored = try ContributionStore.find(id, of: account.id, connection) else {
                throw Problem.notFound
            }
            return (stored, true)
        }
    }

    private static func check(_ times: [String], _ definition: QuestionnaireDefinition) throws(Problem) {
        let known = Set(definition.questions.map(\.key))
        var errors = FieldErrors()
        for key in times where !known.contains(key) {
            errors.add("answered_at." + key.prefix(60), "answers.unknown")
        }
        if !errors.isEmpty { throw .invalid(errors) }
    }

    private struct Target {
        let assignment: AssignmentRecord
        let therapy: Therapy
        let questionnaire: QuestionnaireRecord
    }

    private static func target(
        of submission: Submission, _ account: AccountRecord, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> Target {
        let therapies = try TherapyStore.all(of: account.id, connection)
        guard !therapies.isEmpty else { throw Problem.forbidden(Message("problems.not_paired")) }
        guard let assignment = try AssignmentStore.find(submission.assignmentID, of: account.id, connection),
            let therapy = therapies.first(where: { $0.id == assignment.therapyID }),
            let questionnaire = try QuestionnaireStore.find(
                assignment.questionnaireID, c.services.questionnaires, connection)
        else { throw Problem.notFound }
        return Target(assignment: assignment, therapy: therapy, questionnaire: questionnaire)
    }

    /// Made in time but sent late counts; whole seconds are compared.
    private static func checkWindow(
        _ submission: Submission, _ assignment: AssignmentRecord, _ therapy: Therapy, now: Instant
    ) throws(Problem) {
        let completed = submission.completedAt.seconds
        if completed < assignment.availableFrom.seconds {
            throw .invalid("completed_at", "answers.too_early")
        }
        if completed > assignment.dueAt.seconds { throw .invalid("completed_at", "answers.too_late") }
        if let withdrawn = assignment.withdrawnAt, completed > withdrawn.seconds {
            throw .conflict(Message("answers.withdrawn"))
        }
        if let ended = therapy.endedAt {
            let isLate = completed > ended.seconds || now > ended.adding(days: 30)
            if isLate { throw .forbidden(Message("problems.therapy_ended")) }
        }
    }
}

/// An answer sheet about to be stored.
struct Sheet: Sendable {
    let id: String
    let account: String
    let therapy: String
    let assignment: String
    let questionnaire: String
    let startedAt: Instant
    let completedAt: Instant
    let receivedAt: Instant
    let timezone: String
    let answers: [UInt8]
    let details: [UInt8]?
    let answered: Int
    let asked: Int
    let scores: [ScaleScore]

    init(
        _ submission: Submission, id: String, account: String, therapy: String,
        questionnaire: QuestionnaireRecord,
        answers: Answers, canonical: [UInt8], receivedAt: Instant
    ) {
        (self.id, self.account, self.therapy) = (id, account, therapy)
        (assignment, self.questionnaire) = (submission.assignmentID, questionnaire.id)
        (startedAt, completedAt, timezone) = (
            submission.startedAt, submission.completedAt, submission.timezone
        )
        (self.receivedAt, self.answers, details) = (receivedAt, canonical, submission.details)
        let definition = questionnaire.definition
        answered = answers.count
        asked = definition.visibleSections(answers).flatMap(\.questions).count
        scores = definition.scores(answers)
    }

    /// The sheet that is there already, if it says the same.
    /// - Throws: `Problem.conflict` when it says something else: what was sent once does not change.
    func compared(with existing: ContributionRecord, _ key: PersonKey) throws -> ContributionRecord {
        let isSame =
            existing.assignmentID == assignment && existing.startedAt.seconds == startedAt.seconds
            && existing.completedAt.seconds == completedAt.seconds && existing.timezone == timezone
        guard isSame, try existing.answers(key).bytes == answers, try existing.details(key)?.bytes == details
        else {
            throw Problem.conflict(Message("answers.changed"))
        }
        return existing
    }
}
