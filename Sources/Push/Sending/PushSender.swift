import Database
import Foundation
import HTTP
import Identity
import Outbound
import Records
import Secrets
import Studies
import Synchronization
import Web
import WebPush
import Wire
import Wording

/// Sends what waits: one thread, a hundred messages under way at most. Each is claimed before it is sent and noted once the
/// relay has taken it; what lies between at the moment of a crash may be sent once more, while its window lasts, under a topic
/// that makes the relay replace it.
package struct PushSender: Sendable {
    private let desk: PushDesk
    private let thread: RoundThread

    package init(_ services: Services) {
        let desk = services.part(PushDesk.self)
        self.desk = desk
        thread = RoundThread("push", services) { thread in
            guard var round = PushRound(services) else {
                return services.log.line("error", "push cannot be started", at: services.clock.now)
            }
            thread.repeating(pause: 1_000, wait: desk.wait(milliseconds:)) { try round.go(takes: true) }
            // What is under way ends within ten seconds of its own; five are given.
            let end = DispatchTime.now().uptimeNanoseconds + 5_000_000_000
            while round.isBusy, DispatchTime.now().uptimeNanoseconds < end {
                _ = try? round.go(takes: false)
            }
        }
    }

    /// Ends after what is under way; returns then.
    package func stop() { thread.stop(wake: desk.wake) }
}

/// The state of one sender. Its thread alone has it.
package struct PushRound {
    private let services: Services
    private let desk: PushDesk
    private let pool: OutboundPool
    private var planner: PushPlanner
    private var underWay: [Int64: DuePushMessage] = [:]
    private var lastTag: Int64 = 0
    private var lastLook = UInt64(0)
    private var letters: [String: (value: String, until: Int64)] = [:]

    package static let most = 100
    /// How often the queue is filled while there is much to send, in nanoseconds.
    private static let lookPause: UInt64 = 1_000_000_000
    /// A message that is under way when everything stops is tried again after this.
    static let claimSeconds: Int64 = 30

    package init?(_ services: Services) {
        guard
            let pool = OutboundPool(
                services.settings.pushPolicy, caFile: services.settings.caFile, most: Self.most)
        else { return nil }
        self.services = services
        self.pool = pool
        desk = services.part(PushDesk.self)
        planner = PushPlanner(services)
    }

    package var isBusy: Bool { !underWay.isEmpty }

    /// One step: looks what is due, sends, and notes what became of what was sent.
    /// - Returns: whether there is more to do at once.
    package mutating func go(takes: Bool) throws -> Bool {
        let now = services.clock.now
        let tick = DispatchTime.now().uptimeNanoseconds
        if takes, underWay.isEmpty || tick - lastLook > Self.lookPause {
            lastLook = tick
            try planner.look(at: now, accounts: desk.takeWaiting())
        }
        var isMore = false
        if takes, underWay.count <= Self.most / 2 {
            let due = try services.records.read { connection in
                try PushQueueStore.due(at: now, limit: Self.most - underWay.count, connection)
            }
            isMore = !due.isEmpty
            try send(due, now)
        }
        let ended = collect()
        if !ended.isEmpty { try note(ended, services.clock.now) }
        return isMore || isBusy
    }

    /// What has ended, some of it together: each note waits for the disk, whether of one message or of fifty.
    private func collect() -> [(tag: Int64, result: Result<OutboundReply, OutboundError>)] {
        var ended = pool.wait(milliseconds: isBusy ? 100 : 0)
        let end = DispatchTime.now().uptimeNanoseconds + Self.gathering
        while !ended.isEmpty, ended.count < Self.most / 2, pool.count > 0,
            DispatchTime.now().uptimeNanoseconds < end
        {
            ended += pool.wait(milliseconds: 5)
        }
        return ended
    }

    /// In nanoseconds.
    private static let gathering: UInt64 = 25_000_000

    // MARK: Out

    private mutating func send(_ due: [DuePushMessage], _ now: Instant) throws {
        if due.isEmpty { return }
        let next = now.adding(seconds: Self.claimSeconds)
        let claimed = try services.records.writeUnaudited(.push) { connection in
            try due.filter { message in
                guard try Self.isWanted(message, at: now, connection) else {
                    try PushQueueStore.giveUp(message.id, at: now, connection)
                    return false
                }
                return try PushQueueStore.claim(message, until: next, connection)
            }
        }
        for message in claimed {
            lastTag += 1
            underWay[lastTag] = message
            do {
                pool.add(try request(message, now), tag: lastTag)
            } catch {
                // What cannot be opened or sealed goes nowhere, also the next time.
                underWay[lastTag] = nil
                try services.records.writeUnaudited(.push) {
                    try PushQueueStore.giveUp(message.id, at: now, $0)
                }
            }
        }
    }

    private static func isWanted(
        _ message: DuePushMessage, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        switch message.kind {
        case .assignment: return try PushOccasionStore.isWaiting(message.subject, at: now, connection)
        case .prompt:
            let prompt: ID<Assignment> = ID(message.subject)
            return try !StudyContributionStore.answered([prompt], by: message.account, connection).contains(
                prompt)
        case .change, .test: return true
        }
    }

    private mutating func request(_ message: DuePushMessage, _ now: Instant) throws -> OutboundRequest {
        let key = try services.keys.unwrap(message.wrappedKey, owner: message.account)
        let place = PushPlace.endpoint(message.subscription)
        guard let endpoint = PushEndpoint(stored: try key.openBytes(message.endpoint, from: place)),
            let receiver = endpoint.receiver
        else { throw SealBroken() }
        let title = try message.title.map { try key.open($0, from: PushPlace.title(message.subscription)) }
        let text = try PushLetter.text(message, title: title, services)
        let sealed = try PushMessage.seal(text, for: receiver, padded: PushLetter.length)
        let rest = max(0, message.expires.seconds - now.seconds)
        return OutboundRequest(
            url: endpoint.url,
            headers: [
                ("TTL", String(rest)), ("Topic", Self.topic(message)), ("Urgency", "normal"),
                ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
                ("Authorization", authorization(for: endpoint.origin, now)),
            ], body: sealed)
    }

    /// One for each thing and device: a relay replaces an earlier one, and learns nothing from it.
    private static func topic(_ message: DuePushMessage) -> String {
        String(
            Base64URL.text(Digest.plain(Array("\(message.subscription)/\(message.subject)".utf8))).prefix(32))
    }

    /// Twelve hours for each relay: made anew for every message they would take half of the work.
    private mutating func authorization(for origin: String, _ now: Instant) -> String {
        if let known = letters[origin], known.until > now.seconds + 3600, known.until <= now.seconds + 43_200
        {
            return known.value
        }
        let end = now.seconds + 43_200
        // Relays take `mailto:` and `https:` alone; on trial there is neither.
        let site = services.origin.hasPrefix("https:") ? services.origin : "mailto:noreply@localhost"
        let subject = services.settings.sender.map { "mailto:\($0)" } ?? site
        let value = SenderToken.authorization(for: origin, subject: subject, until: end, by: desk.key)
        letters[origin] = (value, end)
        return value
    }

    // MARK: Back

    private mutating func note(
        _ ended: [(tag: Int64, result: Result<OutboundReply, OutboundError>)], _ now: Instant
    ) throws {
        let outcomes = ended.compactMap { tag, result in
            underWay.removeValue(forKey: tag).map { (message: $0, outcome: PushOutcome(result, of: $0, now)) }
        }
        let stopped = try services.records.writeUnaudited(.push) { connection -> [String] in
            var stopped: [String] = []
            var well: Set<String> = []
            for (message, outcome) in outcomes {
                switch outcome {
                case .accepted:
                    try PushQueueStore.noteAccepted(message, at: now, connection)
                    well.insert(message.host)
                case .gone:
                    try PushQueueStore.giveUp(message.id, at: now, connection)
                    try PushSubscriptionStore.end(message.subscription, at: now, connection)
                case .refused(let status):
                    try PushQueueStore.giveUp(message.id, at: now, connection)
                    let isStopped = try PushHostStore.noteRefusal(
                        by: message.host, status: status, at: now, connection)
                    if isStopped { stopped.append(message.host) }
                case .later(let next): try PushQueueStore.tryAgain(message.id, at: next, connection)
                case .hopeless: try PushQueueStore.giveUp(message.id, at: now, connection)
                }
            }
            for host in well { try PushHostStore.noteAccepted(by: host, connection) }
            return stopped
        }
        for host in stopped {
            services.log.line("error", "push relay refuses and is stopped", [("host", host)], at: now)
        }
    }
}
