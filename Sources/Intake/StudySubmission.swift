import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Responses
import Studies
import Web
import Wire
import Wording

/// A sheet of a study on its way in: what it is taken for, and the prompt that it names. What is refused and may still be
/// of worth goes into quarantine, as with sheets of therapies.
struct StudySubmission: Sendable {
    private let submission: Submission
    private let id: String
    private let place: StudyPlace
    /// The prompt that it names; nil where it names none.
    private let asked: StudyAssignment?
    private let quarantine: Quarantine

    /// - Returns: nil for a sheet of a therapy.
    /// - Throws: `Problem.invalid` for a study that one does not take part in, or a questionnaire it does not have.
    static func find(
        _ submission: Submission, id: String, _ quarantine: Quarantine, _ c: Context<Member>
    ) throws -> StudySubmission? {
        do {
            return try c.read { connection in
                let search = Search(
                    submission: submission, id: id, account: quarantine.account.id,
                    cache: c.services.questionnaires, now: c.now)
                guard let (place, asked) = try search.target(connection) else { return nil }
                // Sent again it counts from when it counted first.
                let known = try ContributionStore.find(id, of: quarantine.account.id, connection)
                let opening = known?.completedAt ?? asked?.availableFrom ?? place.enrolment.enrolledAt
                return StudySubmission(
                    submission: submission.counted(from: opening ?? .distantPast), id: id, place: place,
                    asked: asked, quarantine: quarantine)
            }
        } catch let unknown as UnknownStudyVersion {
            try quarantine.keep(.unknownVersion, for: .study(enrolment: unknown.enrolment), c)
            throw Problem.invalid("questionnaire_id", "studies.not_in_study")
        }
    }

    /// - Returns: the stored sheet, and whether it is new.
    func take(_ c: Context<Member>) throws -> (record: ContributionRecord, isNew: Bool) {
        do {
            try checkWindow(now: c.now)
            let prompt = asked.map { AnsweredPrompt(id: $0.id, at: $0.promptedAt) }
            return try StudyAnswering.take(
                submission, to: place, prompt: prompt, id: id, of: quarantine.account, c)
        } catch let contradiction as Contradiction {
            if try !isKnown(c) {
                try quarantine.keep(.contradiction, for: .study(enrolment: place.enrolment.id), c)
            }
            throw Problem.conflict(Message(contradiction.key))
        } catch let clock as WrongClock {
            try quarantine.keep(.clock, for: .study(enrolment: place.enrolment.id), c)
            throw Problem.invalid("completed_at", clock.key)
        }
    }

    private func checkWindow(now: Instant) throws {
        guard let asked else { return }
        let completed = submission.completedAt.seconds
        if completed > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            throw WrongClock("errors.future")
        }
        if completed < asked.availableFrom.seconds { throw WrongClock("answers.too_early") }
        if completed > asked.dueAt.seconds { throw Problem.invalid("completed_at", "answers.too_late") }
    }

    /// Whether it was sent twice under two ids: the same answers to the same.
    private func isKnown(_ c: Context<Member>) throws -> Bool {
        let first = try c.read { connection in
            try StudySheetStore.first(
                answering: asked?.id, of: place.enrolment.id, questionnaire: place.questionnaire.id,
                connection)
        }
        guard let first, first.id != id else { return false }
        let definition = place.questionnaire.definition
        let answers = try definition.canonical(try definition.readAnswers(submission.answers))
        return try first.answers(try quarantine.account.key(c.keys)).bytes == answers
    }

    /// Finds what a sheet answers.
    private struct Search {
        let submission: Submission
        let id: String
        let account: String
        let cache: QuestionnaireCache
        let now: Instant

        func target(_ connection: borrowing Connection) throws -> (StudyPlace, StudyAssignment?)? {
            switch submission.reason {
            case .study(let study, let questionnaire):
                return (try place(questionnaire, in: study, connection), nil)
            case .assignment(let assignment):
                // Of a sheet that is known already it is what it answered.
                let known = try ContributionStore.find(id, of: account, connection)
                if let known, let study = known.studyID {
                    return (try place(known.questionnaireID, in: study, connection), nil)
                }
                if try AssignmentStore.find(assignment, of: account, connection) != nil { return nil }
                guard let asked = try asked(assignment, connection) else { return nil }
                return (try place(asked.questionnaire.id, in: asked.study, connection), asked)
            case .daily, .paper: return nil
            }
        }

        /// Where its clock goes wrong by days a sheet was asked for by now.
        private func asked(
            _ assignment: String, _ connection: borrowing Connection
        ) throws -> StudyAssignment? {
            let all = StudyAssignments(account: account, cache: cache, now: now)
            return try all.find(assignment, at: submission.completedAt, connection)
                ?? all.find(assignment, at: now, connection)
        }

        private func place(
            _ version: String, in study: String, _ connection: borrowing Connection
        ) throws -> StudyPlace {
            try StudyPlace(version, study, account, at: submission.completedAt, cache, connection)
        }
    }
}
