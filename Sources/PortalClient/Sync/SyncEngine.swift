public import Scheduling
public import Wire

/// Synchronises the phone's store with the portal, one run at a time.
///
/// A run sends waiting changes, then reads the lists: assignments and the plan of dailies with their questionnaires,
/// contributions, interventions, appointments. Without news it costs one request, answered with 304; with older
/// portals, which do not report all changes at once, five. A failing step changes nothing; completed steps stay done.
public actor SyncEngine {
    /// The reason for a run.
    public enum Occasion: Sendable {
        /// The app's timer. Waits for the end of a back-off.
        case periodic
        /// A change here. During a run, another one follows.
        case changed
        /// The person's request. Waits only when the portal itself named a pause.
        case asked
    }

    /// The result of a run.
    public struct Summary: Sendable, Equatable {
        public enum Outcome: Sendable, Equatable {
            /// Both sides agree, except for changes since.
            case complete
            /// The pause after a failure is not over.
            case waiting(until: Instant)
            /// The portal could not be reached, was busy or had a fault.
            case failed(String)
            /// The token has expired: nothing is lost, but the person must sign in.
            case signInNeeded
        }

        public var outcome = Outcome.complete
        /// Changes accepted by the portal.
        public var sent = 0
        /// Changes refused for good; they stay on the phone with the reason.
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
    /// Not requested again from a portal without this call.
    private var tellsChanges = true

    /// - Parameters:
    ///   - now: the phone's clock.
    ///   - zone: the phone's zone.
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
        // The pause survives switching the phone off and on.
        (failures, notBefore) = try store.backOff()
    }

    var now: Instant { clock() }

    /// Texts are in this language from the next run on.
    public func use(_ language: ClientLanguage) { client.language = language }

    /// Synchronises, and returns after a run that includes all changes before this call.
    @discardableResult
    public func synchronise(_ occasion: Occasion = .asked) async -> Summary {
        // A running run may have passed the place of the change already.
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

    /// The reason for stopping a run.
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
        // A pause longer than possible was computed with a clock that has been corrected since.
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
        // Especially offline.
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
