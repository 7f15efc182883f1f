import Database
import Dispatch
import Outbound
import Records
import Web
import Wire

/// The state of one sender. Its thread alone has it.
package struct PushRound {
    private struct Ended {
        let message: DuePushMessage
        let outcome: PushOutcome
        /// Until when nothing goes to its relay.
        let rest: Instant?
        let isRefusedToSeveral: Bool
    }

    private let services: Services
    private let desk: PushDesk
    private let pool: OutboundPool
    private var planner: PushPlanner
    private var requests: PushRequests
    private var relays = PushRelays()
    private var underWay: [Int64: DuePushMessage] = [:]
    /// What has become of some, and is not written yet. Kept until it is: a relay's yes that is forgotten is a second call.
    private var ended: [Ended] = []
    private var lastTag: Int64 = 0
    private var lastLook = UInt64(0)

    package static let most = 100
    /// How often the queue is filled while there is much to send, in nanoseconds.
    private static let lookPause: UInt64 = 1_000_000_000
    /// A message that is under way when everything stops is tried again after this.
    static let claimSeconds: Int64 = 30
    /// Whose plan cannot be made is asked for it again after this.
    private static let unknownSeconds: Int64 = 300

    package init?(_ services: Services, limits: OutboundLimits = OutboundLimits()) {
        guard
            let pool = OutboundPool(
                services.settings.pushPolicy, limits: limits, caFile: services.settings.caFile,
                most: Self.most)
        else { return nil }
        self.services = services
        self.pool = pool
        desk = services.part(PushDesk.self)
        planner = PushPlanner(services)
        requests = PushRequests(services)
    }

    package var isBusy: Bool { !underWay.isEmpty || !ended.isEmpty }

    private var room: Int { Self.most - underWay.count - ended.count }

    /// One step: notes what became of what was sent, looks what is due, and sends. What has ended goes first: while the queue is
    /// filled nobody listens to relays.
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

    /// What is under way is not due a second time, though the clock may have stepped over its claim.
    private func due(at now: Instant) throws -> [DuePushMessage] {
        let found = try services.records.read { connection in
            try PushQueueStore.due(at: now, limit: Self.most, connection)
        }
        let own = Set(underWay.values.map(\.id))
        return Array(found.filter { !own.contains($0.id) }.prefix(room))
    }

    // MARK: Out

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

    // MARK: Back

    /// What has ended, some of it together: each note waits for the disk, whether of one message or of fifty.
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
                isRefusedToSeveral: relays.refusesSeveral(message.host)))
    }

    /// Throws when it cannot be written; then it is tried again with the next step, before anything else is sent.
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
            return try PushHostStore.noteRefusal(
                by: message.host, of: message.account, isOfSeveral: ended.isRefusedToSeveral,
                status: status, at: now, connection)
        case .later(let next), .busy(let next), .closed(let next):
            try PushQueueStore.tryAgain(message.id, at: next, connection)
        case .hopeless: try PushQueueStore.giveUp(message.id, at: now, connection)
        }
        return false
    }
}
