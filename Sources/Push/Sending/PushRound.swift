import Database
import Dispatch
import Outbound
import Records
import Web
import Wire

/// The state of one sender. Used by its thread alone.
package struct PushRound {
    private struct Ended {
        let message: DuePushMessage
        let outcome: PushOutcome
        /// Until when nothing is sent to its relay.
        let rest: Instant?
        /// The accounts that its relay may be stopped for; none before it refused so many devices.
        let refused: Set<ID<Account>>
    }

    private let services: Services
    private let desk: PushSignal
    private let pool: OutboundPool
    private var planner: PushPlanner
    private var requests: PushRequests
    private var relays = PushRelays()
    private var underWay: [Int64: DuePushMessage] = [:]
    /// Results that are not written yet. Kept until they are: a forgotten success would be sent twice.
    private var ended: [Ended] = []
    private var lastTag: Int64 = 0
    private var lastLook = UInt64(0)

    package static let most = 100
    /// The pause between fillings of the queue under load, in nanoseconds.
    private static let lookPause: UInt64 = 1_000_000_000
    /// After so many seconds a message that was being sent at a crash is tried again.
    static let claimSeconds: Int64 = 30
    /// Seconds until a failed plan is tried again.
    private static let unknownSeconds: Int64 = 300

    package init?(_ services: Services, limits: OutboundLimits = OutboundLimits()) {
        guard
            let pool = OutboundPool(
                services.settings.pushPolicy, limits: limits, caFile: services.settings.caFile,
                most: Self.most)
        else { return nil }
        self.services = services
        self.pool = pool
        desk = services.part(PushSignal.self)
        planner = PushPlanner(services)
        requests = PushRequests(services)
    }

    package var isBusy: Bool { !underWay.isEmpty || !ended.isEmpty }

    private var room: Int { Self.most - underWay.count - ended.count }

    /// One step: notes the results of sent messages, fills the queue, and sends due ones. Results come first: answers
    /// of relays are not read while the queue is filled.
    /// - Returns: whether there is more to do at once.
    package mutating func go(takes: Bool) throws -> Bool {
        collect()
        try note(at: services.clock.now)
        guard takes else { return isBusy }
        let now = services.clock.now
        let tick = DispatchTime.now().uptimeNanoseconds
        if underWay.isEmpty || tick - lastLook > Self.lookPause {
            lastLook = tick
            try planner.look(at: now, accounts: desk.takeWaiting())
        }
        if room >= Self.most / 2 { try send(try due(at: now), now) }
        return isBusy || planner.isBehind
    }

    /// A message that is being sent is not due a second time, even if the clock has stepped over its claim.
    private func due(at now: Instant) throws -> [DuePushMessage] {
        let found = try services.records.read { connection in
            try PushQueueStore.due(at: now, limit: Self.most, connection)
        }
        let own = Set(underWay.values.map(\.id))
        return Array(found.filter { !own.contains($0.id) }.prefix(room))
    }

    // MARK: Sending

    private mutating func send(_ due: [DuePushMessage], _ now: Instant) throws {
        if due.isEmpty { return }
        let plans = try PushPlanner.asked(due, services, at: now)
        let claimed = try services.records.writeUnaudited(.push) { connection in
            try due.filter { message in
                if plans.unknown.contains(message.id) {
                    let next = now.adding(seconds: Self.unknownSeconds)
                    try PushQueueStore.tryAgain(message.id, at: next, connection)
                    return false
                }
                let isAsked = message.kind != .prompt || plans.asked.contains(message.id)
                guard try isAsked && PushOccasionStore.isWanted(message, at: now, connection) else {
                    try PushQueueStore.remove(message.id, connection)
                    return false
                }
                let next = now.adding(seconds: Self.claimSeconds)
                return try PushQueueStore.claim(message, until: next, connection)
            }
        }
        for message in claimed {
            lastTag += 1
            do {
                pool.add(try requests.request(message, now), tag: lastTag)
                underWay[lastTag] = message
            } catch {
                end(message, .hopeless, now)
            }
        }
    }

    // MARK: Results

    /// Results, several together: each note waits for the disk, whether for one message or fifty.
    private mutating func collect() {
        var found = pool.wait(milliseconds: isBusy ? 100 : 0)
        let end = DispatchTime.now().uptimeNanoseconds + Self.gathering
        while !found.isEmpty, found.count < Self.most / 2, pool.count > 0,
            DispatchTime.now().uptimeNanoseconds < end
        {
            found += pool.wait(milliseconds: 5)
        }
        let now = services.clock.now
        for (tag, result) in found {
            guard let message = underWay.removeValue(forKey: tag) else { continue }
            self.end(message, PushOutcome(result, of: message, now), now)
        }
    }

    /// In nanoseconds.
    private static let gathering: UInt64 = 25_000_000

    private mutating func end(_ message: DuePushMessage, _ outcome: PushOutcome, _ now: Instant) {
        let rest = relays.note(outcome, of: message, at: now)
        ended.append(
            Ended(
                message: message, outcome: outcome, rest: rest,
                refused: relays.refusedAccounts(message.host)))
    }

    /// Throws when it cannot be written; the next step tries again, before anything else is sent.
    private mutating func note(at now: Instant) throws {
        if ended.isEmpty { return }
        let stopped = try services.records.writeUnaudited(.push) { [ended] connection in
            let stopped = try ended.filter { try Self.note($0, at: now, connection) }
            let well = Set(ended.filter { $0.outcome == .accepted }.map(\.message.host))
            for host in well { try PushHostStore.noteAccepted(by: host, at: now, connection) }
            return Set(stopped.map(\.message.host))
        }
        ended = []
        for host in stopped {
            services.log.line("error", "push relay refuses and is stopped", [("host", host)], at: now)
        }
    }

    /// - Returns: whether it stopped its relay.
    private static func note(
        _ ended: Ended, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let message = ended.message
        if let rest = ended.rest { try PushHostStore.pause(message.host, until: rest, connection) }
        switch ended.outcome {
        case .accepted: try PushQueueStore.noteAccepted(message, at: now, connection)
        case .gone:
            try PushQueueStore.giveUp(message.id, at: now, connection)
            try PushSubscriptionStore.end(message.subscription, at: now, connection)
        case .refused(let status):
            try PushQueueStore.giveUp(message.id, at: now, connection)
            return try !ended.refused.isEmpty
                && PushHostStore.stop(
                    message.host, for: ended.refused, status: status, at: now, connection)
        case .later(let next), .busy(let next), .closed(let next):
            try PushQueueStore.tryAgain(message.id, at: next, connection)
        case .hopeless: try PushQueueStore.giveUp(message.id, at: now, connection)
        }
        return false
    }
}
