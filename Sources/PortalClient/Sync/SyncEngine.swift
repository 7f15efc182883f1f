import Foundation
public import Scheduling
public import Wire

/// Brings the phone's store and the portal together, one run at a time.
///
/// A run sends what waits, then goes through the lists: assignments and the plan of dailies with their questionnaires,
/// contributions, interventions, appointments. When nothing is new it costs one request, answered with 304;
/// from a portal that does not tell all changes at once, five. A step that fails changes nothing; what was done by then stays
/// done.
public actor SyncEngine {
    /// Why a run is wanted.
    public enum Occasion: Sendable {
        /// The clock of the app. Waits for the end of a back-off.
        case periodic
        /// Something was changed here. When a run is under way already, one more follows.
        case changed
        /// The person asked. Waits only where the portal itself said how long.
        case asked
    }

    /// What came of a run.
    public struct Summary: Sendable, Equatable {
        public enum Outcome: Sendable, Equatable {
            /// Both sides agree, but for what was changed since.
            case complete
            /// The wait after a failure is not over.
            case waiting(until: Instant)
            /// The portal could not be reached, was busy or had a fault.
            case failed(String)
            /// The token is dead: nothing is lost, but the person has to sign in.
            case signInNeeded
        }

        public var outcome = Outcome.complete
        /// Things the portal took.
        public var sent = 0
        /// Things the portal will never take; they stay on the phone with the reason.
        public var refused = 0
        /// Requests of this run, and how many of them were answered with 304.
        public var requests = 0
        public var unchanged = 0

        public init() {}
    }

    let store: LocalStore
    private(set) var client: Client
    private let clock: @Sendable () -> Instant
    private let chance: @Sendable () -> Double
    private let zone: @Sendable () -> Zone
    private var running: Task<Summary, Never>?
    private var (started, last) = (0, Summary())
    private var notBefore = Instant(milliseconds: 0)
    private var mustWait = Instant(milliseconds: 0)
    private var failures = 0
    /// Not asked again of a portal that does not know the call.
    private var tellsChanges = true

    /// - Parameters:
    ///   - now: the phone's clock.
    ///   - zone: where the phone is.
    ///   - chance: from 0 up to 1; spreads the tries after a failure.
    public init(
        _ client: Client, _ store: LocalStore, zone: @escaping @Sendable () -> Zone,
        now: @escaping @Sendable () -> Instant,
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) throws {
        self.client = client
        self.store = store
        self.zone = zone
        clock = now
        self.chance = chance
        // A phone that is switched off and on again does not forget that it has to wait.
        (failures, notBefore) = try store.backOff()
    }

    var now: Instant { clock() }

    /// Words come in this language from the next run on.
    public func use(_ language: ClientLanguage) { client.language = language }

    /// Synchronises, and returns once a run is over that saw everything that was changed before this call.
    @discardableResult
    public func synchronise(_ occasion: Occasion = .asked) async -> Summary {
        // A run that is under way may have passed the place of the change already.
        let wanted = running == nil || occasion == .changed ? started + 1 : started
        while true {
            if let running {
                let number = started
                let summary = await running.value
                if number >= wanted { return summary }
            } else if started >= wanted {
                return last
            } else {
                begin(occasion)
            }
        }
    }

    private func begin(_ occasion: Occasion) {
        started += 1
        running = Task {
            let summary = await run(occasion)
            last = summary
            running = nil
            return summary
        }
    }

    // MARK: One run

    /// What a run stops at.
    enum Stop: Error {
        case signInNeeded
        case failed(String, retryAfter: Int?)

        init(_ error: any Error) {
            switch error {
            case let stop as Stop: self = stop
            case ClientError.unreachable(let word): self = .failed(word, retryAfter: nil)
            case ClientError.unreadable(let word): self = .failed(word, retryAfter: nil)
            case ClientError.refused(let refusal) where refusal.status == 401: self = .signInNeeded
            case ClientError.refused(let refusal):
                self = .failed("\(refusal.status) \(refusal.message)", retryAfter: refusal.retryAfter)
            default: self = .failed(String(describing: error), retryAfter: nil)
            }
        }
    }

    private func run(_ occasion: Occasion) async -> Summary {
        var run = SyncRun(client: client, store: store, now: now, zone: zone(), chance: chance)
        run.tellsChanges = tellsChanges
        let wait = occasion == .asked ? mustWait : max(mustWait, notBefore)
        // A wait that is further ahead than one can be was reckoned with a clock that has been put right since.
        guard wait <= run.now || wait > run.now.adding(seconds: Self.longestWait) else {
            run.summary.outcome = .waiting(until: wait)
            return run.summary
        }
        do {
            try store.use(client.language)
            try await run.everything()
            failures = 0
            notBefore = Instant(milliseconds: 0)
        } catch {
            note(Stop(error), &run.summary)
        }
        tellsChanges = run.tellsChanges
        // Also, and most of all, without a network.
        try? run.plan()
        (run.summary.requests, run.summary.unchanged) = run.traffic.counts
        try? store.keepBackOff(failures, notBefore)
        return run.summary
    }

    private static let longestWait: Int64 = 3600

    private func note(_ stop: Stop, _ summary: inout Summary) {
        switch stop {
        case .signInNeeded: summary.outcome = .signInNeeded
        case .failed(let word, let retryAfter):
            failures += 1
            let delay = BackOff.delay(after: failures, chance: chance())
            notBefore = now.adding(seconds: Int64(delay.rounded(.up)))
            if let retryAfter {
                mustWait = now.adding(seconds: Int64(min(max(retryAfter, 0), 3600)))
                notBefore = max(notBefore, mustWait)
            }
            summary.outcome = .failed(word)
        }
    }
}
