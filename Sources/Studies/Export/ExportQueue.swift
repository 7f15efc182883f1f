import Dispatch
import Instruments
import JSON
import Locks
import Questionnaires
import Records
import Responses

/// Hands persons from the thread that reads the database to the one that opens and writes them; at most two lie on it, so
/// that memory stays small however large the study is.
final class ExportQueue: Sendable {
    /// A sheet whose answers are still sealed.
    struct Sealed: Sendable {
        let record: ContributionRecord
        let questionnaire: QuestionnaireRecord
        let scores: [ScaleScore]
    }

    struct Person: Sendable {
        let prompts: ParticipantPrompts
        let key: PersonKey
        /// The earliest first.
        let sheets: [Sealed]
        let therapy: [Sealed]
        /// What the profiles among the sheets were before, the earliest first.
        let changes: [SealedProfileChange]
        /// What areas above the studies tell of them, by the file.
        let rows: [String: [[JSON]]]
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
    /// - Throws: what went wrong behind the belt.
    func put(_ person: Person) throws {
        room.wait()
        let failure = state.withLock { state -> (any Error)? in
            if state.failure == nil { state.waiting.append(person) }
            return state.failure
        }
        if let failure { throw failure }
        load.signal()
    }

    /// Nothing comes any more.
    func finish() { load.signal() }

    /// What lies on the belt is not wanted any more.
    func stop() {
        state.withLock { state in
            state.waiting = []
            state.isStopped = true
        }
        load.signal()
    }

    /// Waits for the next; nil when all have come.
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

    /// Lets whoever puts know that it is in vain.
    func fail(_ error: any Error) {
        state.withLock { $0.failure = error }
        room.signal()
    }
}
