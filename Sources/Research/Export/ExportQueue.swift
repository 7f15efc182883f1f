import Contributions
import Dispatch
import Instruments
import JSON
import Locks
import Questionnaires
import Records
import Scheduling
import Studies
import Wire

/// Hands participants from the thread that reads the database to the one that opens and writes them; it holds at most
/// two, so that memory stays small however large the study is.
final class ExportQueue: Sendable {
    /// A sheet whose answers are still sealed.
    final class Sealed: Sendable {
        let record: ContributionRecord
        let questionnaire: QuestionnaireRecord
        let scores: [ScaleScore]

        init(record: ContributionRecord, questionnaire: QuestionnaireRecord, scores: [ScaleScore]) {
            self.record = record
            self.questionnaire = questionnaire
            self.scores = scores
        }
    }

    struct Person: Sendable {
        let prompts: ParticipantPrompts
        let unseen: UnseenTimes
        let key: PersonKey
        /// The earliest first.
        let sheets: [Sealed]
        /// What was noted with buttons, the earliest first.
        let events: [StudyEventRecord]
        let therapy: [Sealed]
        /// The former states of the profiles among the sheets, the earliest first.
        let changes: [SealedProfileChange]
        /// How far reminders got, by prompt; empty where no file tells it.
        let reminders: [ID<Assignment>: StudyReminder]
        /// The rows of areas above the studies, by the file.
        let rows: [String: [[JSON]]]

        /// - Parameter asked: the prompts of the questionnaire, by their moments.
        func reminder(
            of moment: Instant?, _ item: StudyItem, among asked: [Instant: Prompt]
        ) -> StudyReminder? {
            guard let moment, !reminders.isEmpty else { return nil }
            let enrolment = prompts.enrolment
            if let prompt = asked[moment] {
                return reminders[PromptMatch.id(prompt, of: item, as: enrolment)]
            }
            // Which session it was about is known only of one that is planned.
            return item.isAskedEachSession
                ? nil : reminders[PromptMatch.id(moment, of: item, as: enrolment)]
        }
    }

    private struct State {
        var waiting: [Person] = []
        var isStopped = false
        var failure: (any Error)?
    }

    private static let length = 2
    private let state = Lock(State())
    private let room = DispatchSemaphore(value: 0)
    private let load = DispatchSemaphore(value: 0)

    init() { for _ in 0..<Self.length { room.signal() } }

    /// Waits until there is room.
    /// - Throws: the error of the writing thread.
    func put(_ person: Person) throws {
        room.wait()
        let failure = state.withLock { state -> (any Error)? in
            if state.failure == nil { state.waiting.append(person) }
            return state.failure
        }
        if let failure { throw failure }
        load.signal()
    }

    /// Ends the queue.
    func finish() { load.signal() }

    /// Drops the waiting participants.
    func stop() {
        state.withLock { state in
            state.waiting = []
            state.isStopped = true
        }
        load.signal()
    }

    /// Waits for the next; nil at the end.
    /// - Throws: `CancellationError` after a stop.
    func take() throws -> Person? {
        load.wait()
        let person = try state.withLock { state -> Person? in
            if state.isStopped { throw CancellationError() }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        room.signal()
        return person
    }

    /// Passes an error to the reading thread.
    func fail(_ error: any Error) {
        state.withLock { $0.failure = error }
        room.signal()
    }
}
